import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConflictedFile } from '../../../../ports/commits.ts'
import {
  commitAll,
  failed,
  git,
  type HubStage,
  importInto,
  makeRepository,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Conflict = HubStage & { readonly conflicts: () => Promise<readonly ConflictedFile[]> }
type Side = (source: string) => void

/** A base and two sides, each made by a person in a checkout. */
async function openConflict(
  files: Readonly<Record<string, string>>,
  onto: Side,
  tip: Side,
): Promise<Conflict> {
  const stage = openStage()
  const source = join(stage.root, 'source')
  const base = makeRepository(source, files)
  const ids: string[] = []
  for (const [index, make] of [onto, tip].entries()) {
    git(source, 'checkout', '--quiet', '-B', `side${index}`, base)
    make(source)
    commitAll(source, `side ${index}`)
    ids.push(await importInto(stage, source))
  }
  const [ours = '', theirs = ''] = ids
  return {
    ...stage,
    conflicts: async () => succeeded(await stage.hub.commits.conflictedFiles(stage.project, ours, theirs)),
  }
}

const writing =
  (files: Readonly<Record<string, string>>): Side =>
  (source) =>
    writeFiles(source, files)

describe('conflicted files', () => {
  it('show both sides and include only files that conflict', async () => {
    using stage = await openConflict(
      { a: '1\n2\n3\n', 'odd\nname': 'x\n', fine: 'f\n' },
      writing({ a: '1\nonto\n3\n', 'odd\nname': 'onto\n', fine: 'onto\n' }),
      writing({ a: '1\ntip\n3\n', 'odd\nname': 'tip\n', other: 'tip\n' }),
    )
    const [first, second, ...others] = await stage.conflicts()

    expect(others).toEqual([])
    expect(first?.path).toBe('a')
    expect(first?.text).toMatch(/^1\n<{7} .*\nonto\n={7}\ntip\n>{7} .*\n3\n$/)
    expect(second?.path).toBe('odd\nname')
  })

  it("are described in one line if they can't be shown as text", async () => {
    using stage = await openConflict(
      { binary: 'x\0', gone: 'g\n', kept: 'k\n', link: 'l\n' },
      (source) => {
        writeFiles(source, { binary: 'onto\0', kept: 'onto\n' })
        git(source, 'rm', '--quiet', 'gone', 'link')
        git(source, 'config', 'core.symlinks', 'true')
        git(
          source,
          'update-index',
          '--add',
          '--cacheinfo',
          `120000,${git(source, 'rev-parse', ':kept')},link`,
        )
        git(source, 'checkout', '--quiet', '--', 'link')
      },
      (source) => {
        writeFiles(source, { binary: 'tip\0', gone: 'tip\n', link: 'tip\n' })
        git(source, 'rm', '--quiet', 'kept')
      },
    )
    const conflicts = await stage.conflicts()
    const textOf = (path: string) => conflicts.find((file) => file.path === path)?.text

    expect(textOf('binary')).toBe('[a binary file that both sides changed]')
    expect(textOf('gone')).toMatch(/^\[deleted or moved on the branch; .*\]\ntip\n$/)
    expect(textOf('kept')).toMatch(/^\[deleted or moved on the incoming side; .*\]\nonto\n$/)
    expect(conflicts.map(({ text }) => text).join('\n')).toContain('[a symbolic link or a nested repository')
  })

  it('are limited in size, each and in total', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, '0')}`)
    const filesOf = (word: string) =>
      Object.fromEntries(names.map((name) => [name, `${word}\n`.repeat(name < 'f10' ? 9000 : 1)]))
    using stage = await openConflict(filesOf('base'), writing(filesOf('onto')), writing(filesOf('tip')))
    const conflicts = await stage.conflicts()

    expect(conflicts.map(({ path }) => path)).toEqual(names.slice(0, 50))
    expect(conflicts[0]?.text).toMatch(/\n\[cut here\]$/)
    const sizes = conflicts.map(({ text }) => Buffer.byteLength(text))
    expect(Math.max(...sizes)).toBeLessThan(16 * 1024 + 100)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(96 * 1024 + 50 * 100)
    expect(conflicts.at(-1)?.text).toMatch(/^\[left out/)
  })

  it('are an empty list without conflicts, and fail if a commit does not exist', async () => {
    using stage = await openConflict({ a: 'a\n' }, writing({ b: 'b\n' }), writing({ c: 'c\n' }))
    expect(await stage.conflicts()).toEqual([])

    const { hub, project } = stage
    for (const wrong of ['1'.repeat(40), '--help']) {
      expect(failed(await hub.commits.conflictedFiles(project, wrong, wrong)).type).toBe('git-failed')
    }
  })
})
