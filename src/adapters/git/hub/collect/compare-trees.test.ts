import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCompanions } from '../process/companions.ts'
import { commitAll, git, makeRepository, openStage, writeFiles } from '../testing/test-repository.ts'
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

/** Two commits that differ in every way a file can. */
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
    makeRepository(source, { ...FILES, ...manyFiles() }, `--object-format=${format}`)
    const saved = join(stage.root, 'saved')
    execFileSync('cp', [join(source, '.git', 'index'), saved])
    const base = git(source, 'rev-parse', 'HEAD')
    git(source, 'rm', '--quiet', '-r', 'folder/gone', 'many/10')
    writeFiles(source, { changed: 'two', 'many/20.1': 'new', zzz: 'last' })
    git(source, 'add', '--all')
    const changed: string[] = []
    const indexes = [saved, join(source, '.git', 'index')].map((path) => readIndex(path, format))
    const [one, other] = indexes
    if (one === undefined || other === undefined) throw new Error('two indexes')
    await compareIndexes(one, other, ({ path, before, after }) => {
      changed.push(`${before === undefined ? 'A' : after === undefined ? 'D' : 'M'}\t${path}`)
    })

    const options = ['--cached', '--name-status', '--no-renames']
    expect(changed).toEqual(git(source, 'diff-index', ...options, base).split('\n'))
  },
)

/** So many that an index is read in more than one piece. */
function manyFiles(): Readonly<Record<string, string>> {
  const long = 'x'.repeat(150)
  return Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`many/${index}/${long}`, '']))
}
