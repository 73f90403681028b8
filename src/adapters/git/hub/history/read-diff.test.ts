import { describe, expect, it } from 'vitest'
import type { TreeDiff } from '../../../../ports/history.ts'
import {
  failed,
  git,
  gitWithInput,
  openProject,
  type ProjectStage,
  succeeded,
} from '../testing/test-repository.ts'

/** Makes a commit with exactly these entries. */
function commitOf(stage: ProjectStage, entries: string): string {
  const tree = gitWithInput(stage.hubDirectory, ['mktree'], entries)
  return git(stage.hubDirectory, 'commit-tree', tree.trimEnd(), '-m', 'made')
}

async function diffTo(stage: ProjectStage, to: string, maxPatchBytes: number): Promise<TreeDiff> {
  return succeeded(await stage.hub.history.diff(stage.project, stage.base, to, maxPatchBytes))
}

const LONG = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('')

describe('a diff', () => {
  it('counts the lines of each file and shows them', async () => {
    using stage = await openProject({ a: '1\n2\n3\n', 'odd\nname\t"é"': 'x\n', binary: 'x\0' })
    const files = { a: '1\ntwo\n3\n4\n', 'odd\nname\t"é"': 'y\n', binary: 'y\0', new: 'n\n' }
    const to = await stage.commit(stage.base, files)
    const diff = await diffTo(stage, to, 100_000)

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

  it('has the old and the new name of a renamed file', async () => {
    using stage = await openProject({ a: LONG, z: 'z\n' })
    const blob = git(stage.hubDirectory, 'rev-parse', `${stage.base}:a`)
    const other = await stage.commit(stage.base, { z: 'zz\n' })
    const changed = git(stage.hubDirectory, 'rev-parse', `${other}:z`)
    const to = commitOf(stage, `100644 blob ${blob}\tmoved\n100644 blob ${changed}\tz\n`)
    const diff = await diffTo(stage, to, 100_000)

    expect(diff.files).toEqual([
      { path: 'moved', added: 0, removed: 0, isBinary: false, status: 'renamed', from: 'a' },
      { path: 'z', added: 1, removed: 1, isBinary: false },
    ])
    expect(diff.patch).toContain('rename from a\nrename to moved\n')
  })

  it('distinguishes deleted files, links and changed permissions from changed lines', async () => {
    using stage = await openProject({ gone: 'gone\n', tool: 'run\n', turned: LONG })
    const tool = git(stage.hubDirectory, 'rev-parse', `${stage.base}:tool`)
    const entries = [`120000 blob ${tool}\tlink`, `100755 blob ${tool}\ttool`, `120000 blob ${tool}\tturned`]
    const to = commitOf(stage, `${entries.join('\n')}\n`)
    const { files } = await diffTo(stage, to, 100_000)

    expect(files).toEqual([
      { path: 'gone', added: 0, removed: 1, isBinary: false, status: 'deleted' },
      { path: 'link', added: 1, removed: 0, isBinary: false, status: 'added', isLink: true },
      { path: 'tool', added: 0, removed: 0, isBinary: false, mode: { from: '644', to: '755' } },
      { path: 'turned', added: 1, removed: 50, isBinary: false, status: 'retyped', isLink: true },
    ])
  })

  it('shows every file and all of the short ones if it is cut', async () => {
    using stage = await openProject({ a: 'a\n' })
    const files = { a: 'long\n'.repeat(50_000), b: 'short\n', c: 'wide\n'.repeat(50_000), z: 'last\n' }
    const to = await stage.commit(stage.base, files)
    const diff = await diffTo(stage, to, 20_000)

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
    using stage = await openProject({ a: 'a\n' })
    const files = { a: `${'é'.repeat(100)}\n`.repeat(5000) }
    const to = await stage.commit(stage.base, files)
    for (const limit of [0, 1000, 1001, 200_000]) {
      const diff = await diffTo(stage, to, limit)

      expect(diff.isCut).toBe(true)
      expect(diff.patch).not.toContain('\ufffd')
      expect(Buffer.byteLength(diff.patch)).toBeLessThanOrEqual(limit)
      expect(Buffer.byteLength(diff.patch)).toBeGreaterThan(limit - 4)
      expect(diff.files).toEqual([{ path: 'a', added: 5000, removed: 1, isBinary: false }])
    }
  })

  it('lists no more than five thousand files', async () => {
    using stage = await openProject({ a: 'a\n' })
    const blob = git(stage.hubDirectory, 'rev-parse', `${stage.base}:a`)
    const names = Array.from({ length: 5010 }, (_, index) => `f${String(index).padStart(4, '0')}`)
    const to = commitOf(stage, names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''))
    const diff = await diffTo(stage, to, 1000)

    expect(diff.files).toHaveLength(5000)
    expect(diff.isCut).toBe(true)
  })

  it('is empty between equal commits and fails if a commit does not exist', async () => {
    using stage = await openProject({ a: 'a\n' })
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
