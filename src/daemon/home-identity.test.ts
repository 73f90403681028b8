import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { openHome } from './home-files.ts'
import { openIdentity, saveIdentity, usualPathOf } from './home-identity.ts'
import { isSamePlace } from './home-place.ts'

const run = promisify(execFile)

describe('the identity of a home', () => {
  it('stays the same, even if the home is renamed', async () => {
    await using directory = await temporaryDirectory('muster-identity')
    const home = await openHome(join(directory.path, 'home'))
    const first = await openIdentity(home)
    expect(first).toMatchObject({ database: { type: 'none' } })
    expect(await openIdentity(home)).toEqual(first)
    await rename(home.directory, join(directory.path, 'renamed'))
    const renamed = await openIdentity(await openHome(join(directory.path, 'renamed')))
    expect(renamed).toMatchObject({ id: first.id, place: { path: join(directory.path, 'renamed') } })
    expect(renamed).not.toHaveProperty('copiedFrom')
  })

  it('is new in a copy, which keeps nothing that leads to the processes of the original', async () => {
    await using directory = await temporaryDirectory('muster-identity')
    const home = await openHome(join(directory.path, 'home'))
    const database = { type: 'known', id: 'd1' } as const
    const original = await saveIdentity(home, { ...(await openIdentity(home)), database })
    for (const name of ['token', 'port', 'daemon.json', 'hosts/ses_1']) {
      await writeFile(join(home.directory, name), 'of the original')
    }
    const copy = await openHome(join(directory.path, 'copy'))
    await cp(home.directory, copy.directory, { recursive: true })

    const copied = await openIdentity(copy)
    expect(copied).toMatchObject({ copiedFrom: original.id, database })
    expect(copied.id).not.toBe(original.id)
    const names = await readdir(copy.directory)
    for (const name of ['token', 'port', 'daemon.json', 'hosts']) expect(names).not.toContain(name)
    const aside = names.find((name) => name.startsWith('set-aside-')) ?? ''
    expect(await readdir(join(copy.directory, aside, 'hosts'))).toEqual(['ses_1'])
    expect(await openIdentity(copy)).toEqual(copied)
    expect(await openIdentity(home)).toEqual(original)
  })

  it('has an unrecorded database if an earlier version used the home', async () => {
    await using directory = await temporaryDirectory('muster-identity')
    const home = await openHome(directory.path)
    await writeFile(home.token, 'x')
    expect(await openIdentity(home)).toMatchObject({ database: { type: 'unrecorded' } })
  })
})

it('is used under the path it had before if that still leads to it, and under the new one after a move', async (context) => {
  await using directory = await temporaryDirectory('muster-identity')
  const [usual, again, moved] = ['usual', 'again', 'moved'].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ]
  await openIdentity(await openHome(usual))
  expect(await usualPathOf(usual)).toBe(usual)
  await mkdir(again)
  try {
    await run('mount', ['--bind', usual, again])
  } catch {
    return context.skip('this user cannot mount a folder')
  }
  expect(await usualPathOf(again)).toBe(usual)
  await run('umount', ['--lazy', again])
  await rename(usual, moved)
  expect(await usualPathOf(moved)).toBe(moved)
})

describe('two places', () => {
  const place = { path: '/home/ada/muster', device: '1', inode: '7' }

  it.each([
    ['renamed', { ...place, path: '/elsewhere' }, true],
    ['seen under another device number after a restart of the machine', { ...place, device: '2' }, true],
    ['a copy on the same disk', { ...place, path: '/elsewhere', inode: '8' }, false],
    ['a copy put in its place', { ...place, inode: '8' }, false],
    ['a copy on another disk with the same inode', { path: '/elsewhere', device: '2', inode: '7' }, false],
  ])('can be one home that is %s', (_, other, isSame) => {
    expect(isSamePlace(place, other)).toBe(isSame)
  })
})
