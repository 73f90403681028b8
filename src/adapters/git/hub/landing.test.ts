import { existsSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  failed,
  git,
  type HubStage,
  importInto,
  makeRepository,
  openStage,
  succeeded,
} from './testing/test-repository.ts'

type Landing = HubStage & { readonly base: string }

async function openLanding(
  files: Readonly<Record<string, string>> = { a: '1\n2\n3\n4\n5\n' },
): Promise<Landing> {
  const stage = openStage()
  makeRepository(join(stage.root, 'source'), files)
  return { ...stage, base: await importInto(stage, join(stage.root, 'source')) }
}

async function change(stage: Landing, parent: string, files: Readonly<Record<string, string>>) {
  return succeeded(await stage.hub.commitFiles(stage.project, parent, files, 'change'))
}

function emptyCommit(stage: Landing, parent: string, message: string): string {
  return git(stage.hubDirectory, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message)
}

describe('merging', () => {
  it('makes a commit of both sides, and the same one again', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { a: 'one\n2\n3\n4\n5\n' })
    const tip = await change(stage, stage.base, { a: '1\n2\n3\n4\nfive\n', b: 'new' })
    const merged = succeeded(await stage.hub.merge(stage.project, onto, tip, 'land it'))

    expect(await stage.hub.readFile(stage.project, merged.commit, 'a')).toBe('one\n2\n3\n4\nfive\n')
    expect(await stage.hub.treeOf(stage.project, merged.commit)).toBe(merged.tree)
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%P|%an <%ae>|%s', merged.commit)).toBe(
      `${onto} ${tip}|Muster <muster@localhost>|land it`,
    )
    expect(succeeded(await stage.hub.merge(stage.project, onto, tip, 'land it'))).toEqual(merged)
    expect(await stage.hub.isAncestor(stage.project, tip, merged.commit)).toBe(true)
    expect(await stage.hub.isAncestor(stage.project, merged.commit, tip)).toBe(false)
  })

  it('names each conflicting path once, in order', async () => {
    using stage = await openLanding({ a: 'a', 'line\nbreak': 'x', gone: 'g', z: 'z' })
    const onto = await change(stage, stage.base, { z: 'ours', a: 'ours', 'line\nbreak': 'ours', fine: '1' })
    const tip = await change(stage, stage.base, { z: 'theirs', a: 'theirs', 'line\nbreak': 'theirs' })

    expect(failed(await stage.hub.merge(stage.project, onto, tip, 'm'))).toEqual({
      type: 'conflict',
      paths: ['a', 'line\nbreak', 'z'],
    })
  })

  it('answers with the commit as it is when there is nothing to merge', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { b: 'x' })
    const tree = await stage.hub.treeOf(stage.project, onto)

    for (const tip of [stage.base, onto]) {
      expect(succeeded(await stage.hub.merge(stage.project, onto, tip, 'm'))).toEqual({ commit: onto, tree })
    }
  })

  it('makes a merge commit also when it could fast-forward', async () => {
    using stage = await openLanding()
    const tip = await change(stage, stage.base, { b: 'x' })
    const merged = succeeded(await stage.hub.merge(stage.project, stage.base, tip, 'm'))

    expect(merged.tree).toBe(await stage.hub.treeOf(stage.project, tip))
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%P', merged.commit)).toBe(`${stage.base} ${tip}`)
  })

  it('fails in words for what is no commit of the hub', async () => {
    using stage = await openLanding()
    for (const tip of ['1'.repeat(40), '--help', 'HEAD']) {
      expect(failed(await stage.hub.merge(stage.project, stage.base, tip, 'm')).type).toBe('git-failed')
    }
  })
})

describe('moving a branch', () => {
  it('makes it, moves it, and refuses when it is elsewhere', async () => {
    using stage = await openLanding()
    const { hub, project, base } = stage
    const next = await change(stage, base, { b: 'x' })
    expect(await hub.branchTip(project, 'work')).toBeUndefined()
    expect(failed(await hub.moveBranch(project, 'work', next, base))).toEqual({ type: 'branch-moved' })

    succeeded(await hub.moveBranch(project, 'work', base, undefined))
    succeeded(await hub.moveBranch(project, 'work', next, base))
    expect(await hub.branchTip(project, 'work')).toBe(next)
    const further = await change(stage, next, { b: 'y' })
    expect(failed(await hub.moveBranch(project, 'work', further, base))).toEqual({ type: 'branch-moved' })
    expect(failed(await hub.moveBranch(project, 'work', further, undefined))).toEqual({
      type: 'branch-moved',
    })
    expect(await hub.branchTip(project, 'work')).toBe(next)
  })

  it('is done when the same move was done before', async () => {
    using stage = await openLanding()
    const next = await change(stage, stage.base, { b: 'x' })
    succeeded(await stage.hub.moveBranch(stage.project, 'work', stage.base, undefined))
    succeeded(await stage.hub.moveBranch(stage.project, 'work', next, stage.base))

    succeeded(await stage.hub.moveBranch(stage.project, 'work', next, stage.base))
  })

  it('has one winner among forty', async () => {
    using stage = await openLanding()
    succeeded(await stage.hub.moveBranch(stage.project, 'work', stage.base, undefined))
    const tips: string[] = []
    for (let racer = 0; racer < 40; racer += 1) tips.push(emptyCommit(stage, stage.base, `racer ${racer}`))
    const ends = await Promise.all(
      tips.map((tip) => stage.hub.moveBranch(stage.project, 'work', tip, stage.base)),
    )

    const winners = tips.filter((_, racer) => ends[racer]?.ok)
    expect(winners).toHaveLength(1)
    expect(await stage.hub.branchTip(stage.project, 'work')).toBe(winners[0])
    const losses = ends.flatMap((end) => (end.ok ? [] : [end.failure.type]))
    expect(new Set(losses)).toEqual(new Set(['branch-moved']))
  })

  it('gets past the lock of a git that died long ago', async () => {
    using stage = await openLanding()
    succeeded(await stage.hub.moveBranch(stage.project, 'work', stage.base, undefined))
    const lock = join(stage.hubDirectory, 'refs/heads/work.lock')
    writeFileSync(lock, '')
    utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
    const next = await change(stage, stage.base, { b: 'x' })

    succeeded(await stage.hub.moveBranch(stage.project, 'work', next, stage.base))
    expect(existsSync(lock)).toBe(false)
  })

  it('waits for a lock that may be held', async () => {
    using stage = await openLanding()
    succeeded(await stage.hub.moveBranch(stage.project, 'work', stage.base, undefined))
    const next = await change(stage, stage.base, { b: 'x' })
    const lock = join(stage.hubDirectory, 'refs/heads/work.lock')
    writeFileSync(lock, '')
    let isDone = false
    const moving = stage.hub.moveBranch(stage.project, 'work', next, stage.base).then((moved) => {
      isDone = true
      return moved
    })
    // Each of these gives up after as long as the move needs to find the lock.
    for (let tries = 0; tries < 3; tries += 1) {
      expect(() => git(stage.hubDirectory, 'update-ref', 'refs/heads/work', next)).toThrow(/File exists/)
      await stage.hub.branchTip(stage.project, 'work')
    }
    expect(isDone).toBe(false)
    unlinkSync(lock)

    succeeded(await moving)
  })

  it('refuses names and targets that are none', async () => {
    using stage = await openLanding()
    const { hub, project, base } = stage
    expect(failed(await hub.moveBranch(project, '../x', base, undefined)).type).toBe('git-failed')
    expect(failed(await hub.moveBranch(project, 'work', '1'.repeat(40), undefined)).type).toBe('git-failed')
    expect(await hub.branchTip(project, '-x')).toBeUndefined()
    expect(await hub.treeOf(project, '--help')).toBeUndefined()
    expect(await hub.isAncestor(project, '--help', base)).toBe(false)
  })
})

describe('committing files', () => {
  it('writes whole files beside the others, the same commit each time', async () => {
    using stage = await openLanding({ a: 'a', 'dir/b': 'b' })
    const files = { 'dir/b': 'changed', 'new/deep/file': 'é\n', '-dash': 'x', 'line\nbreak': 'y' }
    const commit = await change(stage, stage.base, files)

    expect(await change(stage, stage.base, files)).toBe(commit)
    for (const [path, text] of Object.entries({ ...files, a: 'a' })) {
      expect(await stage.hub.readFile(stage.project, commit, path)).toBe(text)
    }
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%P %an', commit)).toBe(`${stage.base} Muster`)
  })

  it('answers with the parent when nothing changes', async () => {
    using stage = await openLanding({ a: 'a' })

    expect(await change(stage, stage.base, { a: 'a' })).toBe(stage.base)
    expect(await change(stage, stage.base, {})).toBe(stage.base)
  })

  it('keeps a script executable', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { 'run.sh': 'x' })
    git(source, 'update-index', '--chmod=+x', 'run.sh')
    git(source, 'commit', '--quiet', '-m', 'x')
    const base = await importInto(stage, source)
    const commit = await change({ ...stage, base }, base, { 'run.sh': 'y' })

    expect(git(stage.hubDirectory, 'ls-tree', commit)).toMatch(/^100755 /)
  })

  it('refuses paths outside the tree', async () => {
    using stage = await openLanding()
    for (const path of ['../x', '.git/config', '/etc/x', 'a/../../x']) {
      const made = await stage.hub.commitFiles(stage.project, stage.base, { [path]: 'x' }, 'm')
      expect(failed(made).type, path).toBe('git-failed')
    }
  })
})

describe('reading', () => {
  it('reads a file through links of the tree and finds nothing in what is no file', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { 'real/file': 'text' })
    git(source, 'update-index', '--add', '--cacheinfo', `120000,${blob(source, 'real/file')},link`)
    git(source, 'update-index', '--add', '--cacheinfo', `120000,${blob(source, '/etc/hostname')},out`)
    git(source, 'commit', '--quiet', '-m', 'links')
    const base = await importInto(stage, source)
    const read = (path: string) => stage.hub.readFile(stage.project, base, path)

    expect(await read('real/file')).toBe('text')
    expect(await read('link')).toBe('text')
    for (const path of ['out', 'real', 'missing', './real/file', '../x', '']) {
      expect(await read(path), path).toBeUndefined()
    }
    expect(await stage.hub.readFile(stage.project, 'HEAD', 'real/file')).toBeUndefined()
  })

  it('gives an overview with bounds', async () => {
    const files = Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}`, `${index}`]))
    using stage = await openLanding(files)
    let tip = stage.base
    for (let index = 0; index < 22; index += 1) tip = emptyCommit(stage, tip, `commit ${index}`)
    const overview = succeeded(await stage.hub.overview(stage.project, tip))

    expect(overview.totalFiles).toBe(510)
    expect(overview.files).toHaveLength(500)
    expect(overview.recentCommits).toEqual(Array.from({ length: 20 }, (_, index) => `commit ${21 - index}`))
    expect(failed(await stage.hub.overview(stage.project, '1'.repeat(40))).type).toBe('git-failed')
  })
})

function blob(directory: string, text: string): string {
  writeFileSync(`${directory}.blob`, text)
  return git(directory, 'hash-object', '-w', `${directory}.blob`)
}
