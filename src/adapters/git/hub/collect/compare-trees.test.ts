import { execFileSync } from 'node:child_process'
import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCompanions } from '../process/companions.ts'
import {
  commitAll,
  git,
  gitWithInput,
  makeRepository,
  openStage,
  writeFiles,
} from '../testing/test-repository.ts'
import { compareTrees } from './compare-trees.ts'
import { compareIndexes, readIndex } from './index-file.ts'

const FILES = {
  same: 'same',
  changed: 'one',
  'folder/deep/changed': 'one',
  'folder/gone': 'gone',
  'was-file': 'file',
  'was-folder/a': 'a',
  'was-folder/b/c': 'c',
  'sorted/a.b': '1',
  'sorted/a/b': '1',
}

/** Two commits with every kind of difference between files. */
function makeHistory(source: string): readonly [string, string] {
  const first = makeRepository(source, FILES)
  git(source, 'rm', '--quiet', '-r', 'folder/gone', 'was-file', 'was-folder')
  writeFiles(source, { changed: 'two', 'folder/deep/changed': 'two', 'was-file/now': 'folder' })
  writeFiles(source, { 'was-folder': 'now a file', 'sorted/a.b': '2', 'sorted/a/b': '2', 'neu/ä': 'new' })
  symlinkSync('same', join(source, 'link'))
  git(source, 'add', '--all')
  git(source, 'update-index', '--chmod=+x', 'same')
  return [first, commitAll(source, 'second')]
}

it('finds the same files as git diff-tree', async () => {
  using stage = openStage()
  const source = join(stage.root, 'source')
  const [first, second] = makeHistory(source)
  using companions = createCompanions({ gitConfigFile: join(stage.root, 'gitconfig') })
  const [before = '', after = ''] = [first, second].map((commit) =>
    git(source, 'rev-parse', `${commit}^{tree}`),
  )
  const found = await compareTrees({ companions }, join(source, '.git'), before, after)
  const listed = execFileSync('git', ['-C', source, 'diff-tree', '-r', '-z', '--name-only', before, after])

  expect(found).toEqual(listed.toString('utf8').split('\0').slice(0, -1))
  expect(await compareTrees({ companions }, join(source, '.git'), after, after)).toEqual([])
})

it.each(['sha1', 'sha256'] as const)(
  'compares %s index files as git diff-index compares commits',
  async (format) => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, FILES, `--object-format=${format}`)
    const index = join(source, '.git', 'index')
    const [blob, other] = ['same', 'changed'].map((name) => git(source, 'rev-parse', `HEAD:${name}`))
    addEntries(source, manyPaths(), blob)
    const saved = join(stage.root, 'saved')
    copyFileSync(index, saved)
    const base = git(source, 'write-tree')
    git(source, 'rm', '--quiet', '--cached', '-r', 'folder/gone', 'many/10')
    addEntries(source, ['many/20.1', 'zzz'], blob)
    addEntries(source, ['same'], other)
    const changed: string[] = []
    await compareIndexes(readIndex(saved, format), readIndex(index, format), ({ path, before, after }) => {
      changed.push(`${before === undefined ? 'A' : after === undefined ? 'D' : 'M'}\t${path}`)
    })

    const options = ['--cached', '--name-status', '--no-renames']
    expect(changed).toEqual(git(source, 'diff-index', ...options, base).split('\n'))
  },
)

/** Adds files to the index only, because thousands of files on disk would make the test slow. */
function addEntries(source: string, paths: readonly string[], blob: string | undefined): void {
  const lines = paths.map((path) => `100644 ${blob}\t${path}\n`).join('')
  gitWithInput(source, ['update-index', '--add', '--index-info'], lines)
}

/** Enough paths that an index is read in more than one chunk. */
function manyPaths(): readonly string[] {
  return Array.from({ length: 5_000 }, (_, index) => `many/${index}/${'x'.repeat(150)}`)
}
