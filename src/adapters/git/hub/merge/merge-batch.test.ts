import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import type { BatchMerge } from '../../../../ports/commits.ts'
import { createHub } from '../create-hub.ts'
import {
  failed,
  git,
  gitWithInput,
  openProject,
  type ProjectStage,
  succeeded,
} from '../testing/test-repository.ts'

const FILES = { a: '1\n2\n3\n4\n5\n6\n7\n8\n9\n' }
const LINES = FILES.a

async function merge(stage: ProjectStage, onto: string, ...tips: readonly string[]): Promise<BatchMerge> {
  const messageOf = (merged: readonly string[]) => `land ${merged.length}`
  return succeeded(await stage.hub.commits.mergeBatch(stage.project, { onto, tips, messageOf }))
}

function parentsOf(stage: ProjectStage, commit: string): readonly string[] {
  return git(stage.hubDirectory, 'log', '-1', '--format=%P', commit).split(' ')
}

function commitTree(stage: ProjectStage, tree: string, ...parents: readonly string[]): string {
  const options = parents.flatMap((parent) => ['-p', parent])
  return git(stage.hubDirectory, 'commit-tree', tree, ...options, '-m', 'made by hand')
}

describe('merging one tip', () => {
  it('combines both sides in the same commit each time', async () => {
    using stage = await openProject(FILES)
    const onto = await stage.commit(stage.base, { a: LINES.replace('1', 'one') })
    const tip = await stage.commit(stage.base, { a: LINES.replace('9', 'nine'), b: 'new' })
    const merged = await merge(stage, onto, tip)

    expect(merged).toMatchObject({ merged: [tip], conflicts: [], contained: [] })
    expect(await stage.hub.history.readFile(stage.project, merged.commit, 'a')).toBe(
      'one\n2\n3\n4\n5\n6\n7\n8\nnine\n',
    )
    expect(await stage.hub.history.treeOf(stage.project, merged.commit)).toBe(merged.tree)
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%P|%an <%ae>|%s', merged.commit)).toBe(
      `${onto} ${tip}|Muster <muster@localhost>|land 1`,
    )
    expect(await merge(stage, onto, tip)).toEqual(merged)
    expect(await stage.hub.history.isAncestor(stage.project, tip, merged.commit)).toBe(true)
    expect(await stage.hub.history.isAncestor(stage.project, merged.commit, tip)).toBe(false)
  })

  it('makes a merge commit even if it could fast-forward', async () => {
    using stage = await openProject(FILES)
    const tip = await stage.commit(stage.base, { b: 'x' })
    const merged = await merge(stage, stage.base, tip)

    expect(merged.tree).toBe(await stage.hub.history.treeOf(stage.project, tip))
    expect(parentsOf(stage, merged.commit)).toEqual([stage.base, tip])
  })

  it('names each conflicting path once, sorted', async () => {
    using stage = await openProject({ a: 'a', 'line\nbreak': 'x', gone: 'g', z: 'z' })
    const onto = await stage.commit(stage.base, { z: 'ours', a: 'ours', 'line\nbreak': 'ours', fine: '1' })
    const tip = await stage.commit(stage.base, { z: 'theirs', a: 'theirs', 'line\nbreak': 'theirs' })

    expect(await merge(stage, onto, tip)).toEqual({
      commit: onto,
      tree: await stage.hub.history.treeOf(stage.project, onto),
      merged: [],
      conflicts: [{ tip, paths: ['a', 'line\nbreak', 'z'] }],
      contained: [],
    })
  })

  it('fails for anything but a commit in the hub', async () => {
    using stage = await openProject(FILES)
    const messageOf = () => 'm'
    for (const wrong of ['1'.repeat(40), `${stage.base}\n`, '--help', 'HEAD', '']) {
      for (const request of [
        { onto: stage.base, tips: [wrong] },
        { onto: wrong, tips: [stage.base] },
      ]) {
        const merged = await stage.hub.commits.mergeBatch(stage.project, { ...request, messageOf })
        expect(failed(merged).type, wrong).toBe('git-failed')
      }
    }
  })

  it('works with SHA-256 ids and unrelated histories', async () => {
    using stage = await openProject(FILES, { init: ['--object-format=sha256'] })
    const tip = await stage.commit(stage.base, { b: 'b' })
    const stranger = commitTree(stage, await treeOf(stage, tip))
    const merged = await merge(stage, stage.base, stranger)

    expect(merged.commit).toHaveLength(64)
    expect(parentsOf(stage, merged.commit)).toEqual([stage.base, stranger])
    expect(git(stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })
})

describe('merging a batch', () => {
  it('makes one commit with all tips as parents', async () => {
    using stage = await openProject(FILES)
    const onto = await stage.commit(stage.base, { onto: 'x' })
    const tips: string[] = []
    for (let index = 0; index < 5; index += 1)
      tips.push(await stage.commit(stage.base, { [`t${index}`]: 'x' }))
    const merged = await merge(stage, onto, ...tips)

    expect(merged.merged).toEqual(tips)
    expect(parentsOf(stage, merged.commit)).toEqual([onto, ...tips])
    expect(git(stage.hubDirectory, 'ls-tree', '--name-only', merged.commit).split('\n')).toEqual([
      'a',
      'onto',
      't0',
      't1',
      't2',
      't3',
      't4',
    ])
    expect(git(stage.hubDirectory, 'log', '-1', '--format=%s', merged.commit)).toBe('land 5')
    expect(await merge(stage, onto, ...tips)).toEqual(merged)
  })

  it('uses the time of the newest tip, so that the commit is always the same', async () => {
    using stage = await openProject(FILES)
    const old = await stage.commit(stage.base, { b: 'x' })
    const young = await stage.commit(await stage.commit(stage.base, { c: 'x' }), { c: 'y' })
    const time = (commit: string) => git(stage.hubDirectory, 'log', '-1', '--format=%ct %at', commit)
    const merged = await merge(stage, stage.base, young, old)

    expect(time(merged.commit)).toBe(time(young))
    expect(time(old)).not.toBe(time(young))
  })

  it('leaves out conflicting tips and continues with the next', async () => {
    using stage = await openProject(FILES)
    const onto = await stage.commit(stage.base, { a: 'onto\n' })
    const first = await stage.commit(stage.base, { b: 'first\n' })
    const withOnto = await stage.commit(stage.base, { a: 'tip\n' })
    const withFirst = await stage.commit(stage.base, { b: 'second\n' })
    const last = await stage.commit(stage.base, { c: 'last\n' })
    const merged = await merge(stage, onto, first, withOnto, withFirst, last)

    expect(merged).toMatchObject({
      merged: [first, last],
      conflicts: [
        { tip: withOnto, paths: ['a'] },
        { tip: withFirst, paths: ['b'] },
      ],
      contained: [],
    })
    expect(parentsOf(stage, merged.commit)).toEqual([onto, first, last])
    expect(await stage.hub.history.readFile(stage.project, merged.commit, 'b')).toBe('first\n')
  })

  it('merges a tip on top of an earlier one', async () => {
    using stage = await openProject(FILES)
    const first = await stage.commit(stage.base, { b: 'one\n' })
    const onTop = await stage.commit(first, { b: 'two\n' })
    const merged = await merge(stage, stage.base, first, onTop)

    expect(merged.merged).toEqual([first, onTop])
    expect(await stage.hub.history.readFile(stage.project, merged.commit, 'b')).toBe('two\n')
  })

  it('returns the commit that it merges onto if there are no tips', async () => {
    using stage = await openProject(FILES)

    expect(await merge(stage, stage.base)).toMatchObject({ commit: stage.base, merged: [] })
  })
})

describe('a tip that brings nothing new', () => {
  it('is contained if it is an ancestor or a repetition', async () => {
    using stage = await openProject(FILES)
    const onto = await stage.commit(stage.base, { b: 'x' })
    const tip = await stage.commit(stage.base, { c: 'x' })
    const merged = await merge(stage, onto, stage.base, onto, tip, tip)

    expect(merged).toMatchObject({ merged: [tip], contained: [stage.base, onto, tip], conflicts: [] })
    expect(parentsOf(stage, merged.commit)).toEqual([onto, tip])
  })

  it('is contained if another commit made the same change', async () => {
    using stage = await openProject(FILES)
    const tip = await stage.commit(stage.base, { b: 'x' })
    const onto = await stage.commit(await stage.commit(stage.base, { c: 'x' }), { b: 'x' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip] })
  })

  it('is contained if each of its commits was picked and then changed again', async () => {
    using stage = await openProject(FILES)
    const tip = await stage.commit(await stage.commit(stage.base, { a: 'one\n' }), { a: 'two\n' })
    const picked = await stage.commit(await stage.commit(stage.base, { a: 'one\n' }), { x: 'x' })
    const onto = await stage.commit(await stage.commit(picked, { a: 'two\n' }), { a: 'three\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is not contained if the picked change differs in whitespace', async () => {
    for (const [theirs, own] of [
      ['\tfive', '    five'],
      ['if (x)\n\treturn', 'if (x)\nreturn'],
    ] as const) {
      using stage = await openProject(FILES)
      const onto = await stage.commit(stage.base, { a: LINES.replace('5', theirs) })
      const tip = await stage.commit(stage.base, { a: LINES.replace('5', own) })
      const marked = ['--right-only', '--cherry-mark', `${onto}...${tip}`]
      expect(git(stage.hubDirectory, 'rev-list', ...marked)).toBe(`=${tip}`)
      expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })
    }
  })

  it('is not contained if the picked change has another mode', async () => {
    using stage = await openProject(FILES)
    const picked = await stage.commit(stage.base, { a: LINES.replace('5', 'five') })
    const onto = await stage.commit(picked, { a: LINES.replace('5', 'FIVE') })
    const blob = git(stage.hubDirectory, 'rev-parse', `${picked}:a`)
    const tree = gitWithInput(stage.hubDirectory, ['mktree'], `100755 blob ${blob}\ta\n`)
    const tip = commitTree(stage, tree.trim(), stage.base)
    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })
  })

  it('is contained if it was picked to other lines, with binary files, and then changed again', async () => {
    using stage = await openProject({ a: LINES, binary: 'a\0b' })
    const tip = await stage.commit(stage.base, { a: LINES.replace('5', '  five'), binary: 'a\0c' })
    const shifted = await stage.commit(stage.base, { a: `0\n0\n0\n0\n${LINES}` })
    const picked = { a: `0\n0\n0\n0\n${LINES.replace('5', '  five')}`, binary: 'a\0c' }
    const there = await stage.commit(shifted, picked)
    const onto = await stage.commit(there, { a: picked.a.replace('five', '5'), binary: 'a\0d' })
    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is contained if it was squashed into one commit and then changed again', async () => {
    using stage = await openProject(FILES)
    const tip = await stage.commit(await stage.commit(stage.base, { a: 'one\n' }), { a: 'two\n', b: 'b' })
    const squashed = await stage.commit(stage.base, { a: 'two\n', b: 'b' })
    const onto = await stage.commit(squashed, { a: 'three\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is a conflict if only a part of it was picked', async () => {
    using stage = await openProject(FILES)
    const first = await stage.commit(stage.base, { a: 'one\n' })
    const tip = await stage.commit(first, { a: 'two\n' })
    const onto = await stage.commit(await stage.commit(stage.base, { a: 'one\n' }), { a: 'other\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip, paths: ['a'] }] })
  })

  it('is a conflict if a binary file differs or a merge contains its own work', async () => {
    using stage = await openProject({ a: 'a\n', binary: 'x\0x' })
    const tip = await stage.commit(stage.base, { binary: 'tip\0' })
    const onto = await stage.commit(stage.base, { binary: 'onto\0' })
    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })

    const picked = await stage.commit(stage.base, { a: 'one\n' })
    const beside = await stage.commit(stage.base, { c: 'c' })
    const resolved = await treeOf(stage, await stage.commit(picked, { a: 'resolved\n', c: 'c' }))
    const merging = commitTree(stage, resolved, picked, beside)
    const ahead = await stage.commit(await stage.commit(stage.base, { a: 'one\n' }), { c: 'c' })
    const further = await stage.commit(ahead, { a: 'further\n' })
    expect(await merge(stage, further, merging)).toMatchObject({ contained: [], merged: [] })
  })
})

describe('merging without companions', () => {
  it('makes the same commits', async () => {
    using stage = await openProject(FILES)
    using bare = openBarePath()
    const onto = await stage.commit(stage.base, { a: 'onto\n' })
    const tip = await stage.commit(stage.base, { b: 'é\n' })
    const rival = await stage.commit(stage.base, { a: 'rival\n' })
    const expected = await merge(stage, onto, tip, rival)

    const path = env['PATH']
    env['PATH'] = bare.path
    using hub = createHub({
      hubsDirectory: join(stage.root, 'hubs'),
      gitConfigFile: join(stage.root, 'gitconfig'),
    })
    env['PATH'] = path
    const slow: ProjectStage = { ...stage, hub }
    expect(await merge(slow, onto, tip, rival)).toEqual(expected)
    expect(await merge(slow, onto, rival, tip)).toMatchObject({ merged: [tip], conflicts: [{ tip: rival }] })
  })

  it('makes the same commits in a directory with a newline in its name', async () => {
    using stage = await openProject(FILES)
    const tip = await stage.commit(stage.base, { b: 'é\n' })
    const rival = await stage.commit(stage.base, { c: 'c' })
    const expected = await merge(stage, stage.base, tip, rival)

    const hubsDirectory = join(stage.root, 'line\nend')
    mkdirSync(hubsDirectory)
    git(
      stage.root,
      'clone',
      '--quiet',
      '--mirror',
      stage.hubDirectory,
      join(hubsDirectory, `${stage.project}.git`),
    )
    for (const commit of [tip, rival]) {
      git(join(hubsDirectory, `${stage.project}.git`), 'fetch', '--quiet', stage.hubDirectory, commit)
    }
    using hub = createHub({ hubsDirectory, gitConfigFile: join(stage.root, 'gitconfig') })
    expect(await merge({ ...stage, hub }, stage.base, tip, rival)).toEqual(expected)
  })
})

async function treeOf(stage: ProjectStage, commit: string): Promise<string> {
  return (await stage.hub.history.treeOf(stage.project, commit)) ?? ''
}

/** A search path that has only a git that refuses to keep running. */
function openBarePath(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'muster-path-'))
  const whole = git('/', '--exec-path')
  symlinkSync(join(whole, 'git'), join(path, 'real-git'))
  const script = `#!/bin/sh
case "$*" in *--batch|*--stdin-paths) exit 1;; esac
exec '${join(path, 'real-git')}' "$@"
`
  writeFileSync(join(path, 'git'), script, { mode: 0o755 })
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
