import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  commitAll,
  git,
  type HubStage,
  importInto,
  makeRepository,
  openProject,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

async function copyOf(stage: HubStage) {
  const { copies } = stage.hub
  const staging = join(stage.root, 'staging')
  mkdirSync(staging, { recursive: true })
  const refs = succeeded(await copies.refs(stage.project))
  return { refs, ...succeeded(await copies.pack(stage.project, staging)) }
}

describe('the copy of a hub', () => {
  it('restores every ref and every object, also those that no ref names', async () => {
    using stage = await openProject()
    const { hub, project, base } = stage
    const loose = await stage.commit(base, { 'new.txt': 'hello' })
    const refs = succeeded(await hub.copies.refs(project))
    expect(Object.values(refs)).toContain(base)
    const copy = await copyOf(stage)
    rmSync(stage.hubDirectory, { recursive: true })

    expect(succeeded(await hub.copies.restore(project, copy))).toBeUndefined()
    expect(succeeded(await hub.copies.refs(project))).toEqual(refs)
    expect(await hub.copies.check(project)).toEqual({ type: 'intact' })
    expect(git(stage.hubDirectory, 'cat-file', '-p', `${loose}:new.txt`)).toBe('hello')
    expect(await stage.openTree()).toBeDefined()
  })

  it('contains a shallow history', async () => {
    using stage = openStage()
    const full = join(stage.root, 'full')
    makeRepository(full, { file: 'one' })
    writeFiles(full, { file: 'two' })
    commitAll(full, 'second')
    const source = join(stage.root, 'shallow')
    git(stage.root, 'clone', '--quiet', '--depth=1', `file://${full}`, source)
    const base = await importInto(stage, source)
    const copy = await copyOf(stage)
    rmSync(stage.hubDirectory, { recursive: true })
    succeeded(await stage.hub.copies.restore(stage.project, copy))
    expect(git(stage.hubDirectory, 'log', '--format=%H', base)).toBe(base)
    expect(await stage.hub.copies.check(stage.project)).toEqual({ type: 'intact' })
  })
})

describe('checking a hub', () => {
  it('lists hubs and finds an intact one', async () => {
    using stage = await openProject()
    mkdirSync(join(stage.hubDirectory, '..', 'other'))
    expect(await stage.hub.copies.list()).toEqual([stage.project])
    expect(await stage.hub.copies.check(stage.project)).toEqual({ type: 'intact' })
  })

  it('finds a hub that was removed', async () => {
    using stage = await openProject()
    rmSync(stage.hubDirectory, { recursive: true })
    expect(await stage.hub.copies.check(stage.project)).toEqual({ type: 'missing' })
  })

  it.each([
    ['an empty HEAD', (hub: string) => writeFileSync(join(hub, 'HEAD'), '')],
    ['unreadable refs', (hub: string) => writeFileSync(join(hub, 'packed-refs'), 'garbage\n')],
    ['no objects', (hub: string) => rmSync(join(hub, 'objects'), { recursive: true })],
  ])('finds a hub with %s', async (_case, damage) => {
    using stage = await openProject()
    damage(stage.hubDirectory)
    expect(await stage.hub.copies.check(stage.project)).toMatchObject({ type: 'damaged' })
  })
})
