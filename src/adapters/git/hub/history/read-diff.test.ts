import { execFileSync } from 'node:child_process'
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
} from '../testing/test-repository.ts'

type Landing = HubStage & { readonly base: string }

async function openLanding(files: Readonly<Record<string, string>>): Promise<Landing> {
  const stage = openStage()
  makeRepository(join(stage.root, 'source'), files)
  return { ...stage, base: await importInto(stage, join(stage.root, 'source')) }
}

/** A commit of exactly these entries. */
function commitOf(stage: Landing, entries: string): string {
  const tree = execFileSync('git', ['-C', stage.hubDirectory, 'mktree'], { input: entries, encoding: 'utf8' })
  return git(stage.hubDirectory, 'commit-tree', tree.trimEnd(), '-m', 'made')
}

const LONG = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('')

describe('a diff', () => {
  it('counts the lines of each file and shows them', async () => {
    using stage = await openLanding({ a: '1\n2\n3\n', 'odd\nname\t"é"': 'x\n', binary: 'x\0' })
    const files = { a: '1\ntwo\n3\n4\n', 'odd\nname\t"é"': 'y\n', binary: 'y\0', new: 'n\n' }
    const to = succeeded(await stage.hub.commits.commitFiles(stage.project, stage.base, files, 'change'))
    const diff = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, 100_000))

    expect(diff.isCut).toBe(false)
    expect(diff.files).toEqual([
      { path: 'a', added: 2, removed: 1, isBinary: false },
      { path: 'binary', added: 0, removed: 0, isBinary: true },
      { path: 'new', added: 1, removed: 0, isBinary: false, status: 'added' },
      { path: 'odd\nname\t"é"', added: 1, removed: 1, isBinary: false },
    ])
    expect(diff.patch).toContain('@@ -1,3 +1,4 @@\n 1\n-2\n+two\n 3\n+4\n')
    expect(diff.patch).toContain('Binary files')
  })

  it('names a renamed file by its old and its new name, and those after it by their own', async () => {
    using stage = await openLanding({ a: LONG, z: 'z\n' })
    const blob = git(stage.hubDirectory, 'rev-parse', `${stage.base}:a`)
    const other = succeeded(
      await stage.hub.commits.commitFiles(stage.project, stage.base, { z: 'zz\n' }, 'z'),
    )
    const changed = git(stage.hubDirectory, 'rev-parse', `${other}:z`)
    const to = commitOf(stage, `100644 blob ${blob}\tmoved\n100644 blob ${changed}\tz\n`)
    const diff = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, 100_000))

    expect(diff.files).toEqual([
      { path: 'moved', added: 0, removed: 0, isBinary: false, status: 'renamed', from: 'a' },
      { path: 'z', added: 1, removed: 1, isBinary: false },
    ])
    expect(diff.patch).toContain('rename from a\nrename to moved\n')
  })

  it('tells deleted files, links and changed permissions from changed lines', async () => {
    using stage = await openLanding({ gone: 'gone\n', tool: 'run\n', turned: LONG })
    const tool = git(stage.hubDirectory, 'rev-parse', `${stage.base}:tool`)
    const entries = [`120000 blob ${tool}\tlink`, `100755 blob ${tool}\ttool`, `120000 blob ${tool}\tturned`]
    const to = commitOf(stage, `${entries.join('\n')}\n`)
    const { files } = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, 100_000))

    expect(files).toEqual([
      { path: 'gone', added: 0, removed: 1, isBinary: false, status: 'deleted' },
      { path: 'link', added: 1, removed: 0, isBinary: false, status: 'added', isLink: true },
      { path: 'tool', added: 0, removed: 0, isBinary: false, mode: { from: '644', to: '755' } },
      { path: 'turned', added: 1, removed: 50, isBinary: false, status: 'retyped', isLink: true },
    ])
  })

  it('that is cut has every file in it, and of the short ones all', async () => {
    using stage = await openLanding({ a: 'a\n' })
    const files = { a: 'long\n'.repeat(50_000), b: 'short\n', c: 'wide\n'.repeat(50_000), z: 'last\n' }
    const to = succeeded(await stage.hub.commits.commitFiles(stage.project, stage.base, files, 'long'))
    const diff = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, 20_000))

    expect(diff.isCut).toBe(true)
    expect(diff.patch.match(/^diff --git .*$/gm)).toEqual(
      ['a', 'b', 'c', 'z'].map((name) => `diff --git a/${name} b/${name}`),
    )
    expect(diff.patch).toContain('+short\n')
    expect(diff.patch).toContain('+last\n')
    expect(diff.patch.match(/^\\ the rest of this file is left out$/gm)).toHaveLength(2)
    expect(Buffer.byteLength(diff.patch)).toBeLessThanOrEqual(20_000)
    expect(Buffer.byteLength(diff.patch)).toBeGreaterThan(19_900)
  })

  it('is cut at the limit, between two characters', async () => {
    using stage = await openLanding({ a: 'a\n' })
    const files = { a: `${'é'.repeat(100)}\n`.repeat(5000) }
    const to = succeeded(await stage.hub.commits.commitFiles(stage.project, stage.base, files, 'long'))
    for (const limit of [0, 1000, 1001, 200_000]) {
      const diff = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, limit))

      expect(diff.isCut).toBe(true)
      expect(diff.patch).not.toContain('\ufffd')
      expect(Buffer.byteLength(diff.patch)).toBeLessThanOrEqual(limit)
      expect(Buffer.byteLength(diff.patch)).toBeGreaterThan(limit - 4)
      expect(diff.files).toEqual([{ path: 'a', added: 5000, removed: 1, isBinary: false }])
    }
  })

  it('lists no more than five thousand files', async () => {
    using stage = await openLanding({ a: 'a\n' })
    const blob = git(stage.hubDirectory, 'rev-parse', `${stage.base}:a`)
    const names = Array.from({ length: 5010 }, (_, index) => `f${String(index).padStart(4, '0')}`)
    const to = commitOf(stage, names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''))
    const diff = succeeded(await stage.hub.history.diff(stage.project, stage.base, to, 1000))

    expect(diff.files).toHaveLength(5000)
    expect(diff.isCut).toBe(true)
  })

  it('is empty between equals, and fails in words for what is not there', async () => {
    using stage = await openLanding({ a: 'a\n' })
    const { hub, project, base } = stage

    expect(succeeded(await hub.history.diff(project, base, base, 1000))).toEqual({
      files: [],
      patch: '',
      isCut: false,
    })
    for (const wrong of ['1'.repeat(40), '--help', 'HEAD']) {
      expect(failed(await hub.history.diff(project, base, wrong, 1000)).type).toBe('git-failed')
    }
  })
})
