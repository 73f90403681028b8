import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testRepository } from '../../../test/support/test-repository.ts'
import { fastForward, readCheckout } from './checkout.ts'

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' }

/** A checkout of main, and a commit on another branch that changes a file and adds two. */
async function aheadOfMain() {
  const repository = await testRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  await repository.git('switch', '--quiet', '--create', 'work')
  await repository.write({ 'a.txt': 'two\n', 'new.txt': 'new\n', 'folder/new.txt': 'new\n' })
  await repository.commit('Two')
  const commit = (await repository.git('rev-parse', 'HEAD')).trim()
  await repository.git('switch', '--quiet', '-')
  return { ...repository, commit, head: async () => (await repository.git('rev-parse', 'HEAD')).trim() }
}

it('updates branch, index and files of a clean checkout', async () => {
  await using work = await aheadOfMain()
  expect(await readCheckout(environment, work.path, 'main')).toEqual({ type: 'clean' })
  expect(await fastForward(environment, work.path, work.commit)).toMatchObject({ ok: true })
  expect(await work.head()).toBe(work.commit)
  expect(await work.git('status', '--porcelain')).toBe('')
  expect(readFileSync(join(work.path, 'a.txt'), 'utf8')).toBe('two\n')
})

it('names the files with uncommitted changes, and the new name of a renamed one', async () => {
  await using work = await aheadOfMain()
  await work.git('mv', 'b.txt', 'c d.txt')
  await work.write({ 'a.txt': 'mine\n', 'untracked.txt': 'mine\n' })
  expect(await readCheckout(environment, work.path, 'main')).toEqual({
    type: 'changed',
    files: ['a.txt', 'c d.txt'],
  })
})

it('changes nothing if an untracked file would be overwritten', async () => {
  await using work = await aheadOfMain()
  await work.write({ 'new.txt': 'mine\n' })
  const before = await work.fingerprint()
  expect(await readCheckout(environment, work.path, 'main')).toEqual({ type: 'clean' })
  const updated = await fastForward(environment, work.path, work.commit)
  expect(updated).toEqual({ ok: false, failure: expect.stringContaining('new.txt') })
  expect(await work.fingerprint()).toBe(before)
})

it.each([
  ['file', 'new.txt', 'new.txt'],
  ['directory', 'new.txt/notes', 'new.txt'],
  ['file where a directory goes', 'folder', 'folder'],
])('changes nothing if an ignored %s is in the way, and names it', async (_, mine, named) => {
  await using work = await aheadOfMain()
  await work.write({ '.git/info/exclude': 'new.txt\nfolder\n', [mine]: 'mine\n' })
  const before = await work.head()
  expect(await readCheckout(environment, work.path, 'main')).toEqual({ type: 'clean' })
  const updated = await fastForward(environment, work.path, work.commit)
  expect(updated).toEqual({ ok: false, failure: expect.stringContaining(named) })
  expect(await work.head()).toBe(before)
  expect(readFileSync(join(work.path, mine), 'utf8')).toBe('mine\n')
  expect(readFileSync(join(work.path, 'a.txt'), 'utf8')).toBe('one\n')
})

it('reports a checkout that is not on this machine or has another branch', async () => {
  await using work = await aheadOfMain()
  expect(await readCheckout(environment, work.path, 'work')).toEqual({ type: 'unreadable' })
  expect(await readCheckout(environment, '/nowhere/at/all', 'main')).toEqual({ type: 'unreadable' })
})
