import { execFileSync } from 'node:child_process'
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
  type HubStage,
  importInto,
  makeRepository,
  openStage,
  succeeded,
} from '../testing/test-repository.ts'

type Landing = HubStage & { readonly base: string }

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

async function openLanding(
  files: Readonly<Record<string, string>> = { a: LINES },
  ...options: readonly string[]
): Promise<Landing> {
  const stage = openStage()
  makeRepository(join(stage.root, 'source'), files, ...options)
  return { ...stage, base: await importInto(stage, join(stage.root, 'source')) }
}

async function change(stage: Landing, parent: string, files: Readonly<Record<string, string>>) {
  return succeeded(await stage.hub.commits.commitFiles(stage.project, parent, files, 'change'))
}

async function merge(stage: Landing, onto: string, ...tips: readonly string[]): Promise<BatchMerge> {
  const messageOf = (merged: readonly string[]) => `land ${merged.length}`
  return succeeded(await stage.hub.commits.mergeBatch(stage.project, { onto, tips, messageOf }))
}

function parentsOf(stage: Landing, commit: string): readonly string[] {
  return git(stage.hubDirectory, 'log', '-1', '--format=%P', commit).split(' ')
}

function commitTree(stage: Landing, tree: string, ...parents: readonly string[]): string {
  const options = parents.flatMap((parent) => ['-p', parent])
  return git(stage.hubDirectory, 'commit-tree', tree, ...options, '-m', 'of its own')
}

describe('merging one tip', () => {
  it('makes a commit of both sides, and the same one again', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { a: LINES.replace('1', 'one') })
    const tip = await change(stage, stage.base, { a: LINES.replace('9', 'nine'), b: 'new' })
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

  it('makes a merge commit also when it could fast-forward', async () => {
    using stage = await openLanding()
    const tip = await change(stage, stage.base, { b: 'x' })
    const merged = await merge(stage, stage.base, tip)

    expect(merged.tree).toBe(await stage.hub.history.treeOf(stage.project, tip))
    expect(parentsOf(stage, merged.commit)).toEqual([stage.base, tip])
  })

  it('names each conflicting path once, in order', async () => {
    using stage = await openLanding({ a: 'a', 'line\nbreak': 'x', gone: 'g', z: 'z' })
    const onto = await change(stage, stage.base, { z: 'ours', a: 'ours', 'line\nbreak': 'ours', fine: '1' })
    const tip = await change(stage, stage.base, { z: 'theirs', a: 'theirs', 'line\nbreak': 'theirs' })

    expect(await merge(stage, onto, tip)).toEqual({
      commit: onto,
      tree: await stage.hub.history.treeOf(stage.project, onto),
      merged: [],
      conflicts: [{ tip, paths: ['a', 'line\nbreak', 'z'] }],
      contained: [],
    })
  })

  it('fails in words for what is no commit of the hub', async () => {
    using stage = await openLanding()
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

  it('works in a repository with long ids and for histories that have nothing in common', async () => {
    using stage = await openLanding({ a: LINES }, '--object-format=sha256')
    const tip = await change(stage, stage.base, { b: 'b' })
    const stranger = commitTree(stage, await treeOf(stage, tip))
    const merged = await merge(stage, stage.base, stranger)

    expect(merged.commit).toHaveLength(64)
    expect(parentsOf(stage, merged.commit)).toEqual([stage.base, stranger])
    expect(git(stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })
})

describe('merging a batch', () => {
  it('makes one commit with all of them as parents', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { onto: 'x' })
    const tips: string[] = []
    for (let index = 0; index < 5; index += 1)
      tips.push(await change(stage, stage.base, { [`t${index}`]: 'x' }))
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

  it('has the time of the newest tip, so that it is the same at any hour', async () => {
    using stage = await openLanding()
    const old = await change(stage, stage.base, { b: 'x' })
    const young = await change(stage, await change(stage, stage.base, { c: 'x' }), { c: 'y' })
    const time = (commit: string) => git(stage.hubDirectory, 'log', '-1', '--format=%ct %at', commit)
    const merged = await merge(stage, stage.base, young, old)

    expect(time(merged.commit)).toBe(time(young))
    expect(time(old)).not.toBe(time(young))
  })

  it('leaves out what conflicts with onto or with a tip before it, and goes on', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { a: 'onto\n' })
    const first = await change(stage, stage.base, { b: 'first\n' })
    const withOnto = await change(stage, stage.base, { a: 'tip\n' })
    const withFirst = await change(stage, stage.base, { b: 'second\n' })
    const last = await change(stage, stage.base, { c: 'last\n' })
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

  it('builds on what an earlier tip already merged', async () => {
    using stage = await openLanding()
    const first = await change(stage, stage.base, { b: 'one\n' })
    const onTop = await change(stage, first, { b: 'two\n' })
    const merged = await merge(stage, stage.base, first, onTop)

    expect(merged.merged).toEqual([first, onTop])
    expect(await stage.hub.history.readFile(stage.project, merged.commit, 'b')).toBe('two\n')
  })

  it('is nothing but onto when there is no tip', async () => {
    using stage = await openLanding()

    expect(await merge(stage, stage.base)).toMatchObject({ commit: stage.base, merged: [] })
  })
})

describe('a tip that brings nothing new', () => {
  it('is contained when it is an ancestor, or there twice', async () => {
    using stage = await openLanding()
    const onto = await change(stage, stage.base, { b: 'x' })
    const tip = await change(stage, stage.base, { c: 'x' })
    const merged = await merge(stage, onto, stage.base, onto, tip, tip)

    expect(merged).toMatchObject({ merged: [tip], contained: [stage.base, onto, tip], conflicts: [] })
    expect(parentsOf(stage, merged.commit)).toEqual([onto, tip])
  })

  it('is contained when its change is in onto by another commit', async () => {
    using stage = await openLanding()
    const tip = await change(stage, stage.base, { b: 'x' })
    const onto = await change(stage, await change(stage, stage.base, { c: 'x' }), { b: 'x' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip] })
  })

  it('is contained when each of its commits was picked and then changed further', async () => {
    using stage = await openLanding()
    const tip = await change(stage, await change(stage, stage.base, { a: 'one\n' }), { a: 'two\n' })
    const picked = await change(stage, await change(stage, stage.base, { a: 'one\n' }), { x: 'x' })
    const onto = await change(stage, await change(stage, picked, { a: 'two\n' }), { a: 'three\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is not contained when what was picked differs in blanks', async () => {
    for (const [theirs, own] of [
      ['\tfive', '    five'],
      ['if (x)\n\treturn', 'if (x)\nreturn'],
    ] as const) {
      using stage = await openLanding()
      const onto = await change(stage, stage.base, { a: LINES.replace('5', theirs) })
      const tip = await change(stage, stage.base, { a: LINES.replace('5', own) })
      const marked = ['--right-only', '--cherry-mark', `${onto}...${tip}`]
      expect(git(stage.hubDirectory, 'rev-list', ...marked)).toBe(`=${tip}`)
      expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })
    }
  })

  it('is not contained when what was picked has another mode', async () => {
    using stage = await openLanding()
    const picked = await change(stage, stage.base, { a: LINES.replace('5', 'five') })
    const onto = await change(stage, picked, { a: LINES.replace('5', 'FIVE') })
    const blob = git(stage.hubDirectory, 'rev-parse', `${picked}:a`)
    const tree = execFileSync('git', [`--git-dir=${stage.hubDirectory}`, 'mktree'], {
      input: `100755 blob ${blob}\ta\n`,
    })
    const tip = commitTree(stage, tree.toString().trim(), stage.base)
    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })
  })

  it('is contained when it was picked to other lines, binary files too, and then changed further', async () => {
    using stage = await openLanding({ a: LINES, binary: 'a\0b' })
    const tip = await change(stage, stage.base, { a: LINES.replace('5', '  five'), binary: 'a\0c' })
    const shifted = await change(stage, stage.base, { a: `0\n0\n0\n0\n${LINES}` })
    const picked = { a: `0\n0\n0\n0\n${LINES.replace('5', '  five')}`, binary: 'a\0c' }
    const there = await change(stage, shifted, picked)
    const onto = await change(stage, there, { a: picked.a.replace('five', '5'), binary: 'a\0d' })
    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is contained when all of it came as one commit that was changed further', async () => {
    using stage = await openLanding()
    const tip = await change(stage, await change(stage, stage.base, { a: 'one\n' }), { a: 'two\n', b: 'b' })
    const squashed = await change(stage, stage.base, { a: 'two\n', b: 'b' })
    const onto = await change(stage, squashed, { a: 'three\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ commit: onto, contained: [tip], conflicts: [] })
  })

  it('is a conflict when only a part of it was picked', async () => {
    using stage = await openLanding()
    const first = await change(stage, stage.base, { a: 'one\n' })
    const tip = await change(stage, first, { a: 'two\n' })
    const onto = await change(stage, await change(stage, stage.base, { a: 'one\n' }), { a: 'other\n' })

    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip, paths: ['a'] }] })
  })

  it('is a conflict when a binary file was changed otherwise, or a merge holds work of its own', async () => {
    using stage = await openLanding({ a: 'a\n', binary: 'x\0x' })
    const tip = await change(stage, stage.base, { binary: 'tip\0' })
    const onto = await change(stage, stage.base, { binary: 'onto\0' })
    expect(await merge(stage, onto, tip)).toMatchObject({ contained: [], conflicts: [{ tip }] })

    const picked = await change(stage, stage.base, { a: 'one\n' })
    const beside = await change(stage, stage.base, { c: 'c' })
    const resolved = await treeOf(stage, await change(stage, picked, { a: 'resolved\n', c: 'c' }))
    const merging = commitTree(stage, resolved, picked, beside)
    const ahead = await change(stage, await change(stage, stage.base, { a: 'one\n' }), { c: 'c' })
    const further = await change(stage, ahead, { a: 'further\n' })
    expect(await merge(stage, further, merging)).toMatchObject({ contained: [], merged: [] })
  })
})

describe('merging where no git can be kept running', () => {
  it('makes the same commits', async () => {
    using stage = await openLanding()
    using bare = openBarePath()
    const onto = await change(stage, stage.base, { a: 'onto\n' })
    const tip = await change(stage, stage.base, { b: 'é\n' })
    const rival = await change(stage, stage.base, { a: 'rival\n' })
    const expected = await merge(stage, onto, tip, rival)

    const path = env['PATH']
    env['PATH'] = bare.path
    using hub = createHub({
      hubsDirectory: join(stage.root, 'hubs'),
      gitConfigFile: join(stage.root, 'gitconfig'),
    })
    env['PATH'] = path
    const slow: Landing = { ...stage, hub }
    expect(await merge(slow, onto, tip, rival)).toEqual(expected)
    expect(await merge(slow, onto, rival, tip)).toMatchObject({ merged: [tip], conflicts: [{ tip: rival }] })
  })

  it('makes the same commits in a place whose name has a line end', async () => {
    using stage = await openLanding()
    const tip = await change(stage, stage.base, { b: 'é\n' })
    const rival = await change(stage, stage.base, { c: 'c' })
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

async function treeOf(stage: Landing, commit: string): Promise<string> {
  return (await stage.hub.history.treeOf(stage.project, commit)) ?? ''
}

/** A search path with nothing on it but a git that refuses to stay and answer. */
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
