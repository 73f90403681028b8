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
  importInto,
  newId,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Pool = ProjectStage & {
  /** The first of two commits; `base` is the second. */
  readonly first: string
  readonly warm: (commit: string, count: number) => Promise<void>
  readonly open: (commit: string, name?: string) => Promise<string>
  readonly pool: string
  /** The commits of the trees that are ready. */
  readonly ready: () => readonly string[]
}

function addSecondCommit(source: string): void {
  git(source, 'rm', '--quiet', 'folder/gone')
  writeFiles(source, { a: 'next\n', 'new/file': 'n\n' })
  commitAll(source, 'next')
}

async function openPool(...init: readonly string[]): Promise<Pool> {
  const files = { a: 'a\n', 'folder/gone': 'g\n', 'folder/kept': 'k\n' }
  const stage = await openProject(files, { init, prepare: addSecondCommit })
  const { hub, project } = stage
  const pool = join(stage.root, 'warm', project)
  return {
    ...stage,
    first: git(stage.source, 'rev-parse', 'HEAD^'),
    pool,
    warm: async (commit, count) => succeeded(await hub.trees.warm({ project, commit, count })),
    open: (commit, name = 'tree') => stage.openTree({ commit, directory: stage.treeAt(name) }),
    ready: () => (existsSync(pool) ? readdirSync(pool).map((name) => name.split('.')[0] ?? '') : []),
  }
}

/** Expects a tree like any other: clean, at its commit, on its branch, and with nothing else in it. */
function expectTree(directory: string, commit: string): void {
  expect(git(directory, 'status', '--porcelain', '--ignored')).toBe('')
  expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  expect(git(directory, 'symbolic-ref', 'HEAD')).toBe('refs/heads/muster/task')
  expect(git(directory, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/muster/task')
  expect(git(directory, 'diff', '--stat', commit)).toBe('')
  expect(git(directory, 'fsck', '--no-dangling')).toBe('')
}

describe('warm trees', () => {
  it('are each used for one new tree', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 2)
    expect(stage.ready()).toEqual([stage.first, stage.first])
    const made = statSync(join(stage.pool, readdirSync(stage.pool)[0] ?? '', 'a')).ino
    const names = ['one', 'two', 'three', 'four']
    const trees = await Promise.all(names.map((name) => stage.open(stage.first, name)))

    for (const tree of trees) expectTree(tree, stage.first)
    expect(trees.map((tree) => statSync(join(tree, 'a')).ino)).toContain(made)
    expect(new Set(trees.map((tree) => statSync(join(tree, 'a')).ino)).size).toBe(4)
    expect(stage.ready()).toEqual([])
    expect(readdirSync(join(stage.root, 'trees')).sort()).toEqual(
      names.flatMap((name) => [name, `${name}.index.${stage.first}`]).sort(),
    )
  })

  it('are moved to the requested commit', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 1)
    const kept = statSync(join(stage.pool, readdirSync(stage.pool)[0] ?? '', 'folder', 'kept')).ino
    const tree = await stage.open(stage.base)

    expectTree(tree, stage.base)
    expect(statSync(join(tree, 'folder', 'kept')).ino).toBe(kept)
    expect(existsSync(join(tree, 'folder', 'gone'))).toBe(false)
    expect(readFileSync(join(tree, 'new', 'file'), 'utf8')).toBe('n\n')
  })

  it.each([
    ['lost files', (tree: string) => rmSync(join(tree, 'folder'), { recursive: true })],
    ['changed files', (tree: string) => writeFileSync(join(tree, 'a'), 'other\n')],
    ['additional files', (tree: string) => writeFileSync(join(tree, 'more'), 'x')],
    ['the wrong index', (tree: string) => git(tree, 'read-tree', 'HEAD^')],
  ])('are not used if they have %s', async (_, damage) => {
    using stage = await openPool()
    await stage.warm(stage.base, 1)
    damage(join(stage.pool, readdirSync(stage.pool)[0] ?? ''))

    expectTree(await stage.open(stage.base), stage.base)
    expect(stage.ready()).toEqual([])
  })

  it('are collected like other trees, with everything that was done in them and nothing else', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 1)
    const directory = await stage.open(stage.base)
    writeFiles(directory, { 'folder/kept': 'K\n', fresh: 'f' })
    const collected = await stage.collect()

    expect(collected.files).toEqual(['folder/kept', 'fresh'])
    expect(collected.omissions).toEqual([])
  })

  it('are not read again by git, which still sees what has changed in them', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 1)
    const index = join(stage.pool, readdirSync(stage.pool)[0] ?? '', '.git', 'index')
    const written = Math.floor(statSync(index).mtimeMs / 1000)
    await vi.waitUntil(() => Math.floor(Date.now() / 1000) > written, { timeout: 5_000 })
    const directory = await stage.open(stage.first)
    // As long as before, so that only the time shows the change.
    writeFiles(directory, { 'folder/kept': 'K\n' })

    expect(Math.floor(statSync(join(directory, '.git', 'index')).mtimeMs / 1000)).toBeGreaterThan(written)
    expect(git(directory, 'status', '--porcelain')).toBe('M folder/kept'.padStart(14))
    expect((await stage.collect({ base: stage.first })).files).toEqual(['folder/kept'])
  })

  it('follow the commit and the requested number', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 3)
    const before = readdirSync(stage.pool).map((name) => statSync(join(stage.pool, name)).ino)
    await stage.warm(stage.base, 2)
    expect(stage.ready()).toEqual([stage.base, stage.base])
    for (const name of readdirSync(stage.pool)) {
      expect(before).toContain(statSync(join(stage.pool, name)).ino)
      expect(git(join(stage.pool, name), 'diff', '--stat', stage.base)).toBe('')
    }
    await Promise.all([stage.warm(stage.base, 3), stage.warm(stage.base, 3)])
    expect(stage.ready()).toHaveLength(3)
    await stage.warm(stage.base, 0)
    expect(existsSync(stage.pool)).toBe(false)
  })

  it('are accessible only to their owner', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 1)

    expect(statSync(stage.pool).mode & 0o777).toBe(0o700)
    expect(statSync(join(stage.root, 'warm')).mode & 0o777).toBe(0o700)
  })

  it('are never taken if a crash left them unfinished', async () => {
    using stage = await openPool()
    writeFiles(stage.pool, { 'new.of-a-dead-call/half': 'x' })
    expectTree(await stage.open(stage.first), stage.first)
    await stage.warm(stage.first, 1)

    expect(stage.ready()).toEqual([stage.first])
  })

  it('are not used if they are damaged', async () => {
    using stage = await openPool()
    await stage.warm(stage.first, 3)
    const [first = '', second = '', third = ''] = readdirSync(stage.pool)
    rmSync(join(stage.pool, first, '.git'), { recursive: true })
    writeFileSync(join(stage.pool, second, '.git', 'index'), 'broken')
    appendFileSync(join(stage.pool, third, 'a'), 'changed')
    for (const name of ['one', 'two', 'three']) expectTree(await stage.open(stage.base, name), stage.base)

    await stage.warm(stage.first, 2)
    for (const name of readdirSync(stage.pool)) appendFileSync(join(stage.pool, name, 'a'), 'changed')
    await stage.warm(stage.base, 2)
    for (const name of readdirSync(stage.pool)) {
      expect(git(join(stage.pool, name), 'diff', '--stat', stage.base)).toBe('')
    }
    expect(stage.ready()).toEqual([stage.base, stage.base])
  })

  it("are not needed if something else is in the pool's place", async () => {
    using stage = await openPool()
    mkdirSync(join(stage.root, 'warm'), { mode: 0o700 })
    writeFileSync(stage.pool, 'no folder')

    expectTree(await stage.open(stage.first), stage.first)
  })

  it('know where a shallow history begins, even if that changes', async () => {
    using stage = await openPool()
    const shallow = join(stage.root, 'shallow')
    git(stage.root, 'clone', '--quiet', '--depth=1', `file://${join(stage.root, 'source')}`, shallow)
    const project = newId('project')
    const commit = await importInto({ ...stage, project }, shallow)
    succeeded(await stage.hub.trees.warm({ project, commit, count: 2 }))
    const open = (name: string) => stage.openTree({ project, commit, directory: stage.treeAt(name) })
    expect(git(await open('cut'), 'rev-list', '--count', 'HEAD')).toBe('1')
    const hub = join(stage.root, 'hubs', `${project}.git`)
    git(hub, 'fetch', '--quiet', '--unshallow', join(stage.root, 'source'), 'HEAD')

    const whole = await open('whole')
    expect(git(whole, 'rev-list', '--count', 'HEAD')).toBe('2')
    expectTree(whole, commit)
  })

  it('are made in repositories with SHA-256 ids', async () => {
    using stage = await openPool('--object-format=sha256')
    await stage.warm(stage.first, 1)

    expectTree(await stage.open(stage.base), stage.base)
  })

  it('are refused for anything but a commit, and not made without a directory for them', async () => {
    using stage = await openPool()
    const { hub, project, root } = stage
    for (const commit of ['1'.repeat(40), '--help']) {
      expect(failed(await hub.trees.warm({ project, commit, count: 1 })).type).toBe('git-failed')
    }
    expect(stage.ready()).toEqual([])
    using poolless = createHub({ hubsDirectory: join(root, 'hubs'), gitConfigFile: join(root, 'gitconfig') })
    succeeded(await poolless.trees.warm({ project, commit: stage.first, count: 1 }))
    expect(stage.ready()).toEqual([])
  })
})
