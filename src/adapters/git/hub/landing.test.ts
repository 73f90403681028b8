import { existsSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failed, git, openProject, type ProjectStage, succeeded } from './testing/test-repository.ts'

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

function emptyCommit(stage: ProjectStage, parent: string, message: string): string {
  return git(stage.hubDirectory, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message)
}

describe('moving a branch', () => {
  it('creates it, moves it, and fails if it is somewhere else', async () => {
    using stage = await openProject()
    const { hub, project, base } = stage
    const next = await stage.commit(base, { b: 'x' })
    expect(await hub.branches.tip(project, 'work')).toBeUndefined()
    expect(failed(await hub.branches.move(project, 'work', next, base))).toEqual({ type: 'branch-moved' })

    succeeded(await hub.branches.move(project, 'work', base, undefined))
    succeeded(await hub.branches.move(project, 'work', next, base))
    expect(await hub.branches.tip(project, 'work')).toBe(next)
    const further = await stage.commit(next, { b: 'y' })
    expect(failed(await hub.branches.move(project, 'work', further, base))).toEqual({ type: 'branch-moved' })
    expect(failed(await hub.branches.move(project, 'work', further, undefined))).toEqual({
      type: 'branch-moved',
    })
    expect(await hub.branches.tip(project, 'work')).toBe(next)
  })

  it('succeeds if the same move was made before', async () => {
    using stage = await openProject()
    const next = await stage.commit(stage.base, { b: 'x' })
    succeeded(await stage.hub.branches.move(stage.project, 'work', stage.base, undefined))
    succeeded(await stage.hub.branches.move(stage.project, 'work', next, stage.base))

    succeeded(await stage.hub.branches.move(stage.project, 'work', next, stage.base))
  })

  it('has one winner among twenty rivals', async () => {
    using stage = await openProject()
    succeeded(await stage.hub.branches.move(stage.project, 'work', stage.base, undefined))
    const tips: string[] = []
    for (let racer = 0; racer < 20; racer += 1) tips.push(emptyCommit(stage, stage.base, `racer ${racer}`))
    const ends = await Promise.all(
      tips.map((tip) => stage.hub.branches.move(stage.project, 'work', tip, stage.base)),
    )

    const winners = tips.filter((_, racer) => ends[racer]?.ok)
    expect(winners).toHaveLength(1)
    expect(await stage.hub.branches.tip(stage.project, 'work')).toBe(winners[0])
    const losses = ends.flatMap((end) => (end.ok ? [] : [end.failure.type]))
    expect(new Set(losses)).toEqual(new Set(['branch-moved']))
  })

  it('removes the lock of a git that died long ago', async () => {
    using stage = await openProject()
    succeeded(await stage.hub.branches.move(stage.project, 'work', stage.base, undefined))
    const lock = join(stage.hubDirectory, 'refs/heads/work.lock')
    writeFileSync(lock, '')
    utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
    const next = await stage.commit(stage.base, { b: 'x' })

    succeeded(await stage.hub.branches.move(stage.project, 'work', next, stage.base))
    expect(existsSync(lock)).toBe(false)
  })

  it('waits for a lock that may be in use', async () => {
    using stage = await openProject()
    succeeded(await stage.hub.branches.move(stage.project, 'work', stage.base, undefined))
    const next = await stage.commit(stage.base, { b: 'x' })
    const lock = join(stage.hubDirectory, 'refs/heads/work.lock')
    writeFileSync(lock, '')
    let isDone = false
    const moving = stage.hub.branches.move(stage.project, 'work', next, stage.base).then((moved) => {
      isDone = true
      return moved
    })
    // Each of these takes about as long as the move needs to find the lock.
    for (let tries = 0; tries < 3; tries += 1) {
      expect(() => git(stage.hubDirectory, 'update-ref', 'refs/heads/work', next)).toThrow(/File exists/)
      await stage.hub.branches.tip(stage.project, 'work')
    }
    expect(isDone).toBe(false)
    unlinkSync(lock)

    succeeded(await moving)
  })

  it('sees at once that another git has changed the branch', async () => {
    using stage = await openProject()
    const { hub, project, base } = stage
    const next = await stage.commit(base, { b: 'x' })
    const further = await stage.commit(next, { b: 'y' })
    succeeded(await hub.branches.move(project, 'work', base, undefined))
    succeeded(await hub.branches.move(project, 'work', next, base))
    git(stage.hubDirectory, 'pack-refs', '--all', '--prune')
    succeeded(await hub.branches.move(project, 'work', further, next))
    git(stage.hubDirectory, 'update-ref', 'refs/heads/work', base)

    expect(failed(await hub.branches.move(project, 'work', next, further))).toEqual({ type: 'branch-moved' })
    succeeded(await hub.branches.move(project, 'work', next, base))
    expect(await hub.branches.tip(project, 'work')).toBe(next)
  })

  it('refuses invalid branch names and commits', async () => {
    using stage = await openProject()
    const { hub, project, base } = stage
    expect(failed(await hub.branches.move(project, '../x', base, undefined)).type).toBe('git-failed')
    expect(failed(await hub.branches.move(project, 'work', '1'.repeat(40), undefined)).type).toBe(
      'git-failed',
    )
    expect(await hub.branches.tip(project, '-x')).toBeUndefined()
    expect(await hub.history.treeOf(project, '--help')).toBeUndefined()
    expect(await hub.history.isAncestor(project, '--help', base)).toBe(false)
  })
})

describe('committing files', () => {
  it('adds files to the others and makes the same commit each time', async () => {
    using stage = await openProject({ a: 'a', 'dir/b': 'b' })
    const files = { 'dir/b': 'changed', 'new/deep/file': 'é\n', '-dash': 'x', 'line\nbreak': 'y' }
    const commit = await stage.commit(stage.base, files)

    expect(await stage.commit(stage.base, files)).toBe(commit)
    for (const [path, text] of Object.entries({ ...files, a: 'a' })) {
      expect(await stage.hub.history.readFile(stage.project, commit, path)).toBe(text)
    }
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%P %an', commit)).toBe(`${stage.base} Muster`)
  })

  it('returns the parent if nothing changes', async () => {
    using stage = await openProject({ a: 'a' })

    expect(await stage.commit(stage.base, { a: 'a' })).toBe(stage.base)
    expect(await stage.commit(stage.base, {})).toBe(stage.base)
  })

  it('keeps an executable file executable', async () => {
    using stage = await openProject(
      { 'run.sh': 'x' },
      {
        prepare: (source) => {
          git(source, 'update-index', '--chmod=+x', 'run.sh')
          git(source, 'commit', '--quiet', '-m', 'x')
        },
      },
    )
    const commit = await stage.commit(stage.base, { 'run.sh': 'y' })

    expect(git(stage.hubDirectory, 'ls-tree', commit)).toMatch(/^100755 /)
  })

  it('refuses a path that would replace a folder or a file', async () => {
    using stage = await openProject({ 'TASKLIST.md/kept': 'k', file: 'f', 'folder/other': 'o' })
    const commit = (path: string) =>
      stage.hub.commits.commitFiles(stage.project, stage.base, { [path]: 'new', fine: 'x' }, 'list')
    for (const path of ['TASKLIST.md', 'folder', 'file/below', 'file/far/below']) {
      expect(failed(await commit(path)), path).toEqual({ type: 'path-taken', path })
    }
    const made = succeeded(await commit('folder/new'))
    expect(git(stage.hubDirectory, 'ls-tree', '-r', '--name-only', made).split('\n')).toEqual([
      'TASKLIST.md/kept',
      'file',
      'fine',
      'folder/new',
      'folder/other',
    ])
  })

  it('refuses paths outside the tree', async () => {
    using stage = await openProject()
    for (const path of ['../x', '.git/config', '/etc/x', 'a/../../x']) {
      const made = await stage.hub.commits.commitFiles(stage.project, stage.base, { [path]: 'x' }, 'm')
      expect(failed(made).type, path).toBe('git-failed')
    }
  })
})

describe('reading the history', () => {
  it('follows links inside the tree and returns nothing for anything but files', async () => {
    const addLink = (source: string, name: string, target: string) => {
      writeFileSync(`${source}.blob`, target)
      const blob = git(source, 'hash-object', '-w', `${source}.blob`)
      git(source, 'update-index', '--add', '--cacheinfo', `120000,${blob},${name}`)
    }
    using stage = await openProject(
      { 'real/file': 'text' },
      {
        prepare: (source) => {
          addLink(source, 'link', 'real/file')
          addLink(source, 'out', '/etc/hostname')
          git(source, 'commit', '--quiet', '-m', 'links')
        },
      },
    )
    const read = (path: string) => stage.hub.history.readFile(stage.project, stage.base, path)

    expect(await read('real/file')).toBe('text')
    expect(await read('link')).toBe('text')
    for (const path of ['out', 'real', 'missing', './real/file', '../x', '']) {
      expect(await read(path), path).toBeUndefined()
    }
    expect(await stage.hub.history.readFile(stage.project, 'HEAD', 'real/file')).toBeUndefined()
  })

  it('limits the files and commits of an overview', async () => {
    const files = Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}`, `${index}`]))
    using stage = await openProject(files)
    let tip = stage.base
    for (let index = 0; index < 22; index += 1) tip = emptyCommit(stage, tip, `commit ${index}`)
    const overview = succeeded(await stage.hub.history.overview(stage.project, tip))

    expect(overview.totalFiles).toBe(510)
    expect(overview.files).toHaveLength(500)
    expect(overview.changedFiles).toEqual([])
    const nothing = git(stage.hubDirectory, 'commit-tree', EMPTY_TREE, '-m', 'nothing')
    const sinceNothing = succeeded(await stage.hub.history.overview(stage.project, tip, nothing))
    expect(sinceNothing.changedFiles).toHaveLength(500)
    expect(overview.recentCommits).toEqual(Array.from({ length: 20 }, (_, index) => `commit ${21 - index}`))
    expect(failed(await stage.hub.history.overview(stage.project, '1'.repeat(40))).type).toBe('git-failed')
  })

  it('lists the files that differ from a base', async () => {
    using stage = await openProject({ a: 'a', b: 'b' })
    const some = await stage.commit(stage.base, { a: 'changed', 'new\nline': 'x' })
    const changedSince = async (commit: string) =>
      succeeded(await stage.hub.history.overview(stage.project, commit, stage.base)).changedFiles

    expect(await changedSince(some)).toEqual(['a', 'new\nline'])
    expect(await changedSince(stage.base)).toEqual([])
    for (const wrong of ['1'.repeat(40), '--help']) {
      expect(failed(await stage.hub.history.overview(stage.project, some, wrong)).type).toBe('git-failed')
    }
  })

  it('finds the common ancestor of two commits', async () => {
    using stage = await openProject()
    const { hub, project, base } = stage
    const one = await stage.commit(base, { b: 'x' })
    const other = await stage.commit(await stage.commit(base, { c: 'x' }), { c: 'y' })
    const stranger = git(stage.hubDirectory, 'commit-tree', `${base}^{tree}`, '-m', 'unrelated')

    expect(await hub.history.mergeBase(project, one, other)).toBe(base)
    expect(await hub.history.mergeBase(project, base, other)).toBe(base)
    expect(await hub.history.mergeBase(project, one, stranger)).toBeUndefined()
    expect(await hub.history.mergeBase(project, one, '--help')).toBeUndefined()
  })
})
