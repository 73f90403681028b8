import { chmodSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  git,
  gitWithInput,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Scene = ProjectStage & { readonly altered: () => Promise<readonly string[]> }

/** A tree of a commit with exactly these bytes, whatever the attributes would make of them. */
async function openScene(prepare: (source: string) => void): Promise<Scene> {
  const stage = await openProject({ first: 'f\n' }, { prepare })
  const { hub, project, base } = stage
  const directory = await stage.openTree()
  return {
    ...stage,
    altered: async () => succeeded(await hub.trees.alteredFiles(project, directory, base)),
  }
}

function commitRaw(source: string, files: Readonly<Record<string, string>>): void {
  for (const [name, input] of Object.entries(files)) {
    const id = gitWithInput(source, ['hash-object', '-w', '--no-filters', '--stdin'], input).trim()
    git(source, 'update-index', '--add', '--cacheinfo', `100644,${id},${name}`)
  }
  git(source, 'commit', '--quiet', '-m', 'raw')
}

/** Files that don't match their own attributes. */
const ODD = {
  '.gitattributes': [
    '*.txt text',
    '*.bat text eol=crlf',
    '*.id ident',
    '*.lfs filter=lfs diff=lfs merge=lfs -text',
    '*.u16 working-tree-encoding=UTF-16LE',
    '',
  ].join('\n'),
  'a.txt': 'one\r\ntwo\r\n',
  'b.txt': 'one\r\ntwo\r\n',
  'mixed.bat': 'one\r\ntwo\nthree\n',
  'plain.bat': 'one\ntwo\n',
  'old.id': '$Id: 1234 $\n',
  'new.id': '$Id$\n',
  'big.lfs': 'version https://git-lfs.github.com/spec/v1\r\n',
  'text.u16': 'wide\n',
}

const commitOdd = (source: string) => commitRaw(source, ODD)

/** Makes every file newer than its index entry. */
function touchAll(directory: string, names: readonly string[]): void {
  const later = Date.now() / 1000 + 5
  for (const name of names) utimesSync(join(directory, name), later, later)
}

describe('altered files', () => {
  it('are the files that were changed or removed, but not added files', async () => {
    using scene = await openScene((source) =>
      commitRaw(source, { a: 'a\n', b: 'b\n', script: '#!/bin/sh\n' }),
    )
    expect(await scene.altered()).toEqual([])
    writeFiles(scene.directory, { a: 'changed\n', added: 'x' })
    rmSync(join(scene.directory, 'b'))
    chmodSync(join(scene.directory, 'script'), 0o755)
    expect(await scene.altered()).toEqual(['a', 'b', 'script'])
  })

  it('are found without storing anything in the hub', async () => {
    using scene = await openScene((source) => commitRaw(source, { a: 'a\n' }))
    const objects = () => git(scene.hubDirectory, 'count-objects', '-v')
    const before = objects()
    writeFiles(scene.directory, { a: 'changed\n', 'left/behind': 'by a check\n', 'left/more': 'm\n' })
    expect(await scene.altered()).toEqual(['a'])
    expect(objects()).toBe(before)
  })

  it('do not include files that only their attributes would convert', async () => {
    using scene = await openScene(commitOdd)
    expect(await scene.altered()).toEqual([])
    touchAll(scene.directory, Object.keys(ODD))
    expect(await scene.altered()).toEqual([])

    writeFileSync(join(scene.directory, 'a.txt'), 'one\r\nTWO\r\n')
    writeFileSync(join(scene.directory, 'b.txt'), 'one\ntwo\n')
    writeFileSync(join(scene.directory, 'old.id'), '$Id: 5678 $\n')
    chmodSync(join(scene.directory, 'mixed.bat'), 0o755)
    expect(await scene.altered()).toEqual(['a.txt', 'b.txt', 'mixed.bat', 'old.id'])
  })
})

describe('collecting files that do not match their attributes', () => {
  it('leaves out files that no one has touched', async () => {
    using scene = await openScene(commitOdd)
    touchAll(scene.directory, Object.keys(ODD))
    expect(await scene.collect()).toMatchObject({ files: [], committedForAgent: false, omissions: [] })
    writeFiles(scene.directory, { work: 'w\n' })
    expect(await scene.collect()).toMatchObject({ files: ['work'], committedForAgent: true })
  })

  it('takes files that the agent edited or made executable', async () => {
    using scene = await openScene(commitOdd)
    const expanded = readFileSync(join(scene.directory, 'new.id'), 'utf8')
    expect(expanded).toMatch(/^\$Id: [0-9a-f]{40} \$\n$/)
    writeFileSync(join(scene.directory, 'a.txt'), 'one\r\ntwo\r\nthree\r\n')
    writeFileSync(join(scene.directory, 'new.id'), `${expanded}more\n`)
    writeFileSync(join(scene.directory, 'big.lfs'), 'other\r\n')
    chmodSync(join(scene.directory, 'b.txt'), 0o755)
    const { tip, files } = await scene.collect()
    const inTip = (...parts: readonly string[]) => git(scene.hubDirectory, ...parts)

    expect(files).toEqual(['a.txt', 'b.txt', 'big.lfs', 'new.id'])
    expect(inTip('show', `${tip}:a.txt`)).toBe('one\ntwo\nthree')
    expect(inTip('show', `${tip}:new.id`)).toBe('$Id$\nmore')
    expect(inTip('cat-file', '-s', `${tip}:big.lfs`)).toBe('7')
    expect(inTip('ls-tree', tip, 'b.txt')).toContain('100755')
    expect(inTip('rev-parse', `${tip}:b.txt`)).toBe(inTip('rev-parse', `${tip}~1:b.txt`))
  })

  it('takes new attributes without the files that were written by the old ones', async () => {
    using scene = await openScene(commitOdd)
    touchAll(scene.directory, Object.keys(ODD))
    writeFiles(scene.directory, { '.gitattributes': '*.id text\n' })
    expect(await scene.collect()).toMatchObject({ files: ['.gitattributes'] })
  })

  it('takes only the file that does not match its declared encoding', async () => {
    using scene = await openScene(commitOdd)
    touchAll(scene.directory, Object.keys(ODD))
    writeFileSync(join(scene.directory, 'bad.u16'), Buffer.from([0x00, 0xd8, 0x41]))
    const { files, omissions } = await scene.collect()
    expect(files).toEqual(['bad.u16'])
    expect(omissions).toEqual([expect.stringContaining('declared encoding')])
  })
})
