import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  commitAll,
  failed,
  git,
  importInto,
  makeRepository,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

describe('inspecting a repository', () => {
  it('finds the root from any folder or file inside', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const commit = makeRepository(source, { 'deep/er/file': 'x' })
    const seen = { path: source, isBare: false, head: { commit, branch: 'main' } }

    expect(succeeded(await stage.hub.branches.inspectSource(source))).toEqual(seen)
    expect(succeeded(await stage.hub.branches.inspectSource(join(source, 'deep', 'er')))).toEqual(seen)
    expect(succeeded(await stage.hub.branches.inspectSource(join(source, 'deep/er/file')))).toEqual(seen)
    expect(succeeded(await stage.hub.branches.inspectSource(join(source, '.git')))).toEqual(seen)
  })

  it('finds the repository of an earlier job only at its path, or through a link there', async () => {
    using stage = openStage()
    makeRepository(stage.root, { around: 'x' })
    const source = join(stage.root, 'source')
    const commit = makeRepository(source, { file: 'x' })
    const moved = join(stage.root, 'moved')
    renameSync(source, moved)

    const gone = { type: 'repository-moved', path: source }
    expect(failed(await stage.hub.branches.reopenSource(source))).toEqual(gone)
    mkdirSync(source)
    expect(failed(await stage.hub.branches.reopenSource(source))).toEqual(gone)
    rmdirSync(source)
    symlinkSync(moved, source)
    expect(succeeded(await stage.hub.branches.reopenSource(source))).toMatchObject({
      path: moved,
      head: { commit },
    })
  })

  it.each(['with space', 'line\nbreak', 'é☃', '-dash', 'quote\'"', '$(touch x)', 'co:lon'])(
    'accepts a path like %j',
    async (name) => {
      using stage = openStage()
      const source = join(stage.root, name)
      const commit = makeRepository(source, { file: 'x' })

      expect(await importInto(stage, source)).toBe(commit)
    },
  )

  it('recognizes bare repositories, linked worktrees, submodules and a detached HEAD', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const first = makeRepository(source, { file: 'x' })
    const bare = join(stage.root, 'bare.git')
    git(stage.root, 'clone', '--quiet', '--bare', source, bare)
    const linked = join(stage.root, 'linked')
    git(source, 'worktree', 'add', '--quiet', '-b', 'other', linked)
    const second = commitAll(linked, 'second')
    git(source, 'submodule', '--quiet', 'add', bare, 'sub')
    const detached = join(stage.root, 'detached')
    git(stage.root, 'clone', '--quiet', source, detached)
    git(detached, 'checkout', '--quiet', '--detach')

    expect(succeeded(await stage.hub.branches.inspectSource(bare))).toMatchObject({
      path: bare,
      isBare: true,
    })
    expect(succeeded(await stage.hub.branches.inspectSource(linked))).toEqual({
      path: linked,
      isBare: false,
      head: { commit: second, branch: 'other' },
    })
    expect(succeeded(await stage.hub.branches.inspectSource(join(source, 'sub')))).toMatchObject({
      path: join(source, 'sub'),
      head: { commit: first },
    })
    expect(succeeded(await stage.hub.branches.inspectSource(detached)).head).toEqual({ commit: first })
    expect(await importInto(stage, detached)).toBe(first)
    expect(await importInto(stage, linked)).toBe(second)
  })

  it('distinguishes missing paths, plain folders, empty repositories and broken ones', async () => {
    using stage = openStage()
    const empty = join(stage.root, 'empty')
    mkdirSync(empty)
    const missing = join(stage.root, 'missing')
    const plain = join(stage.root, 'plain')
    mkdirSync(plain)
    git(empty, 'init', '--quiet')
    const broken = join(stage.root, 'broken')
    makeRepository(broken, { file: 'x' })
    writeFileSync(join(broken, '.git', 'config'), '[core\n')

    expect(failed(await stage.hub.branches.inspectSource(missing))).toEqual({
      type: 'path-missing',
      path: missing,
    })
    expect(failed(await stage.hub.branches.inspectSource(plain))).toEqual({
      type: 'not-a-repository',
      path: plain,
    })
    expect(failed(await stage.hub.branches.inspectSource(empty))).toEqual({ type: 'no-commits', path: empty })
    expect(failed(await stage.hub.branches.inspectSource(broken))).toMatchObject({
      type: 'repository-unreadable',
      path: broken,
      problem: expect.stringContaining('bad config'),
    })
  })

  it('leaves the repository unchanged', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'x' })
    const before = readdirSync(join(source, '.git')).sort()
    await importInto(stage, source)

    expect(readdirSync(join(source, '.git')).sort()).toEqual(before)
  })
})

describe('finding a branch that is taken', () => {
  it('finds the same branch, and branches that git cannot store beside it, in the hub and in the repository', async () => {
    using stage = openStage()
    const path = join(stage.root, 'source')
    const commit = makeRepository(path, { file: 'x' })
    git(path, 'branch', 'feature/x')
    await importInto(stage, path)
    const source = succeeded(await stage.hub.branches.inspectSource(path))
    succeeded(await stage.hub.branches.move(stage.project, 'ours', commit, undefined))
    const find = (branch: string) => stage.hub.branches.findTaken(stage.project, source, branch)

    expect(await find('feature/x')).toBe('feature/x')
    expect(await find('feature')).toBe('feature/x')
    expect(await find('feature/x/y')).toBe('feature/x')
    expect(await find('ours')).toBe('ours')
    expect(await find('ours/more')).toBe('ours')
    expect(await find('feature/y')).toBeUndefined()
    expect(await find('feat')).toBeUndefined()
  })
})

describe('importing a base', () => {
  it('imports a branch by name and keeps every imported base', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'one' })
    git(source, 'branch', 'feature/x')
    const seen = succeeded(await stage.hub.branches.inspectSource(source))
    const base = succeeded(await stage.hub.branches.importBase(stage.project, seen, 'feature/x'))
    git(source, 'checkout', '--quiet', 'feature/x')
    git(source, 'commit', '--quiet', '--amend', '-m', 'rewritten')
    const again = succeeded(await stage.hub.branches.importBase(stage.project, seen, 'feature/x'))

    expect(base.branch).toBe('feature/x')
    expect(again.commit).toBe(git(source, 'rev-parse', 'feature/x'))
    expect(git(stage.hubDirectory, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual(
      [`refs/muster/base/${again.commit}`, `refs/muster/base/${base.commit}`].sort(),
    )
  })

  it('reports a missing branch, even if its name looks like an option', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'x' })
    const seen = succeeded(await stage.hub.branches.inspectSource(source))
    const hostile = `--upload-pack=touch ${join(stage.root, 'canary')}`

    for (const branch of ['nowhere', hostile, '-x', 'a..b']) {
      const imported = await stage.hub.branches.importBase(stage.project, seen, branch)
      expect(failed(imported)).toEqual({ type: 'base-missing', branch })
    }
    expect(existsSync(join(stage.root, 'canary'))).toBe(false)
  })

  it('uses the object format of the source', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const commit = makeRepository(source, { file: 'x' }, '--object-format=sha256')

    expect(commit).toHaveLength(64)
    expect(await importInto(stage, source)).toBe(commit)
    expect(await stage.hub.history.treeOf(stage.project, commit)).toHaveLength(64)
    expect(succeeded(await stage.hub.branches.move(stage.project, 'work', commit, undefined))).toBeUndefined()
  })

  it('imports a shallow clone and works with its history', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'one' })
    writeFiles(source, { file: 'two' })
    commitAll(source, 'second')
    const shallow = join(stage.root, 'shallow')
    git(stage.root, 'clone', '--quiet', '--depth=1', `file://${source}`, shallow)
    const base = await importInto(stage, shallow)
    const directory = stage.treeAt('one')
    succeeded(await stage.hub.trees.open({ project: stage.project, directory, commit: base, branch: 'b' }))

    expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe('1')
    expect(git(stage.hubDirectory, 'fsck')).toBe('')
  })

  it('imports old commits that git fsck rejects', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'x' })
    const tree = git(source, 'rev-parse', 'HEAD^{tree}')
    const text = `tree ${tree}\nauthor A <a@b>1000000000 +0000\ncommitter A <a@b>1000000000 +0000\n\nold\n`
    writeFileSync(join(stage.root, 'commit'), text)
    const odd = git(source, 'hash-object', '-t', 'commit', '-w', '--literally', join(stage.root, 'commit'))
    git(source, 'update-ref', 'HEAD', odd)

    expect(() => git(source, 'fsck')).toThrow(/missingSpaceBeforeDate/)
    expect(await importInto(stage, source)).toBe(odd)
  })

  it('makes one hub if many calls import at once', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const commit = makeRepository(source, { file: 'x' })
    const imported = await Promise.all(Array.from({ length: 6 }, () => importInto(stage, source)))

    expect(new Set(imported)).toEqual(new Set([commit]))
    expect(readdirSync(join(stage.root, 'hubs'))).toEqual([`${stage.project}.git`])
  })

  it('removes a lock that a killed git left in the hub', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'x' })
    await importInto(stage, source)
    writeFiles(stage.hubDirectory, { 'refs/muster/incoming/base.lock': '' })
    utimesSync(join(stage.hubDirectory, 'refs/muster/incoming/base.lock'), 1, 1)

    expect(await importInto(stage, source)).toMatch(/^[0-9a-f]{40}$/)
  })

  it('fails if the source cannot be read', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { file: 'x' })
    const seen = succeeded(await stage.hub.branches.inspectSource(source))
    const objects = join(source, '.git', 'objects')
    for (const name of readdirSync(objects).filter((entry) => entry.length === 2)) {
      for (const object of readdirSync(join(objects, name))) {
        chmodSync(join(objects, name, object), 0o644)
        writeFileSync(join(objects, name, object), 'garbage')
      }
    }

    expect(failed(await stage.hub.branches.importBase(stage.project, seen, undefined))).toMatchObject({
      type: 'git-failed',
      command: 'git fetch',
    })
  })
})
