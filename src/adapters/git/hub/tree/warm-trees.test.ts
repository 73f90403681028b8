import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createHub } from '../create-hub.ts'
import {
  commitAll,
  failed,
  git,
  type HubStage,
  importInto,
  makeRepository,
  newId,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Pool = HubStage & {
  readonly base: string
  readonly next: string
  readonly warm: (commit: string, count: number) => Promise<void>
  readonly open: (commit: string, name?: string) => Promise<string>
  readonly pool: string
  /** The commits of the trees that are ready. */
  readonly ready: () => readonly string[]
}

async function openPool(...options: readonly string[]): Promise<Pool> {
  const stage = openStage()
  const { hub, project, root } = stage
  const source = join(root, 'source')
  makeRepository(source, { a: 'a\n', 'folder/gone': 'g\n', 'folder/kept': 'k\n' }, ...options)
  const base = await importInto(stage, source)
  git(source, 'rm', '--quiet', 'folder/gone')
  writeFiles(source, { a: 'next\n', 'new/file': 'n\n' })
  commitAll(source, 'next')
  const next = await importInto(stage, source)
  const pool = join(root, 'warm', project)
  return {
    ...stage,
    base,
    next,
    pool,
    warm: async (commit, count) => succeeded(await hub.trees.warm({ project, commit, count })),
    open: async (commit, name = 'tree') => {
      const directory = stage.treeAt(name)
      succeeded(await hub.trees.open({ project, directory, commit, branch: 'muster/task' }))
      return directory
    },
    ready: () => (existsSync(pool) ? readdirSync(pool).map((name) => name.split('.')[0] ?? '') : []),
  }
}

/** As any other tree: at its commit, clean, on its branch, with nothing besides. */
function expectTree(directory: string, commit: string): void {
  expect(git(directory, 'status', '--porcelain', '--ignored')).toBe('')
  expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  expect(git(directory, 'symbolic-ref', 'HEAD')).toBe('refs/heads/muster/task')
  expect(git(directory, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/muster/task')
  expect(git(directory, 'diff', '--stat', commit)).toBe('')
  expect(git(directory, 'fsck', '--no-dangling')).toBe('')
}

describe('warm trees', () => {
  it('are taken by whoever opens a tree, each once', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 2)
    expect(stage.ready()).toEqual([stage.base, stage.base])
    const made = statSync(join(stage.pool, readdirSync(stage.pool)[0] ?? '', 'a')).ino
    const names = ['one', 'two', 'three', 'four']
    const trees = await Promise.all(names.map((name) => stage.open(stage.base, name)))

    for (const tree of trees) expectTree(tree, stage.base)
    expect(trees.map((tree) => statSync(join(tree, 'a')).ino)).toContain(made)
    expect(new Set(trees.map((tree) => statSync(join(tree, 'a')).ino)).size).toBe(4)
    expect(stage.ready()).toEqual([])
    expect(readdirSync(join(stage.root, 'trees')).sort()).toEqual(
      names.flatMap((name) => [name, `${name}.index.${stage.base}`]).sort(),
    )
  })

  it('are moved to the commit that is asked for', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 1)
    const kept = statSync(join(stage.pool, readdirSync(stage.pool)[0] ?? '', 'folder', 'kept')).ino
    const tree = await stage.open(stage.next)

    expectTree(tree, stage.next)
    expect(statSync(join(tree, 'folder', 'kept')).ino).toBe(kept)
    expect(existsSync(join(tree, 'folder', 'gone'))).toBe(false)
    expect(readFileSync(join(tree, 'new', 'file'), 'utf8')).toBe('n\n')
  })

  it('are collected from like any other, with all that was done in them and no more', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 1)
    const directory = await stage.open(stage.next)
    writeFiles(directory, { 'folder/kept': 'K\n', fresh: 'f' })
    const collected = succeeded(
      await stage.hub.trees.collect({
        project: stage.project,
        attemptId: newId('attempt'),
        directory,
        base: stage.next,
        message: 'rest',
      }),
    )

    expect(collected.files).toEqual(['folder/kept', 'fresh'])
    expect(collected.omissions).toEqual([])
  })

  it('need not be read again by git, and what is changed in them is seen all the same', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 1)
    const index = join(stage.pool, readdirSync(stage.pool)[0] ?? '', '.git', 'index')
    const written = Math.floor(statSync(index).mtimeMs / 1000)
    await vi.waitUntil(() => Math.floor(Date.now() / 1000) > written, { timeout: 5_000 })
    const directory = await stage.open(stage.base)
    // As long as before, so that only its time can tell.
    writeFiles(directory, { 'folder/kept': 'K\n' })

    expect(Math.floor(statSync(join(directory, '.git', 'index')).mtimeMs / 1000)).toBeGreaterThan(written)
    expect(git(directory, 'status', '--porcelain')).toBe('M folder/kept'.padStart(14))
    const base = stage.base
    const request = { project: stage.project, attemptId: newId('attempt'), directory, base, message: 'rest' }
    expect(succeeded(await stage.hub.trees.collect(request)).files).toEqual(['folder/kept'])
  })

  it('follow the commit, and are as many as is asked for', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 3)
    const before = readdirSync(stage.pool).map((name) => statSync(join(stage.pool, name)).ino)
    await stage.warm(stage.next, 2)
    expect(stage.ready()).toEqual([stage.next, stage.next])
    for (const name of readdirSync(stage.pool)) {
      expect(before).toContain(statSync(join(stage.pool, name)).ino)
      expect(git(join(stage.pool, name), 'diff', '--stat', stage.next)).toBe('')
    }
    await Promise.all([stage.warm(stage.next, 3), stage.warm(stage.next, 3)])
    expect(stage.ready()).toHaveLength(3)
    await stage.warm(stage.next, 0)
    expect(existsSync(stage.pool)).toBe(false)
  })

  it('are looked into by nobody else', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 1)

    expect(statSync(stage.pool).mode & 0o777).toBe(0o700)
    expect(statSync(join(stage.root, 'warm')).mode & 0o777).toBe(0o700)
  })

  it('that a death left unfinished are removed and never taken', async () => {
    using stage = await openPool()
    writeFiles(stage.pool, { 'new.of-a-dead-call/half': 'x' })
    expectTree(await stage.open(stage.base), stage.base)
    await stage.warm(stage.base, 1)

    expect(stage.ready()).toEqual([stage.base])
  })

  it('that are damaged are not used', async () => {
    using stage = await openPool()
    await stage.warm(stage.base, 3)
    const [first = '', second = '', third = ''] = readdirSync(stage.pool)
    rmSync(join(stage.pool, first, '.git'), { recursive: true })
    writeFileSync(join(stage.pool, second, '.git', 'index'), 'broken')
    appendFileSync(join(stage.pool, third, 'a'), 'meddled with')
    for (const name of ['one', 'two', 'three']) expectTree(await stage.open(stage.next, name), stage.next)

    await stage.warm(stage.base, 2)
    for (const name of readdirSync(stage.pool)) appendFileSync(join(stage.pool, name, 'a'), 'meddled with')
    await stage.warm(stage.next, 2)
    for (const name of readdirSync(stage.pool)) {
      expect(git(join(stage.pool, name), 'diff', '--stat', stage.next)).toBe('')
    }
    expect(stage.ready()).toEqual([stage.next, stage.next])
  })

  it('are done without when there is something else in their place', async () => {
    using stage = await openPool()
    mkdirSync(join(stage.root, 'warm'), { mode: 0o700 })
    writeFileSync(stage.pool, 'no folder')

    expectTree(await stage.open(stage.base), stage.base)
  })

  it('know where the history of a shallow source begins, also when that changes', async () => {
    using stage = await openPool()
    const shallow = join(stage.root, 'shallow')
    git(stage.root, 'clone', '--quiet', '--depth=1', `file://${join(stage.root, 'source')}`, shallow)
    const project = newId('project')
    const other: HubStage = { ...stage, project }
    const commit = await importInto(other, shallow)
    succeeded(await stage.hub.trees.warm({ project, commit, count: 2 }))
    const open = async (name: string) => {
      const directory = stage.treeAt(name)
      succeeded(await stage.hub.trees.open({ project, directory, commit, branch: 'muster/task' }))
      return directory
    }
    expect(git(await open('cut'), 'rev-list', '--count', 'HEAD')).toBe('1')
    const hub = join(stage.root, 'hubs', `${project}.git`)
    git(hub, 'fetch', '--quiet', '--unshallow', join(stage.root, 'source'), 'HEAD')

    const whole = await open('whole')
    expect(git(whole, 'rev-list', '--count', 'HEAD')).toBe('2')
    expectTree(whole, commit)
  })

  it('are made in repositories with long ids', async () => {
    using stage = await openPool('--object-format=sha256')
    await stage.warm(stage.base, 1)

    expectTree(await stage.open(stage.next), stage.next)
  })

  it('are a failure in words for what is no commit, and nothing where there is no place for them', async () => {
    using stage = await openPool()
    const { hub, project, root } = stage
    for (const commit of ['1'.repeat(40), '--help']) {
      expect(failed(await hub.trees.warm({ project, commit, count: 1 })).type).toBe('git-failed')
    }
    expect(stage.ready()).toEqual([])
    using poolless = createHub({ hubsDirectory: join(root, 'hubs'), gitConfigFile: join(root, 'gitconfig') })
    succeeded(await poolless.trees.warm({ project, commit: stage.base, count: 1 }))
    expect(stage.ready()).toEqual([])
  })
})
