import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collected } from '../../../../ports/working-trees.ts'
import {
  git,
  type HubStage,
  importInto,
  makeRepository,
  newId,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Scene = HubStage & {
  readonly directory: string
  readonly altered: () => Promise<readonly string[]>
  readonly collect: () => Promise<Collected>
  readonly objects: () => string
}

/** A tree of a commit with these files to the byte, whatever their attributes would make of them. */
async function openScene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const stage = openStage()
  const { hub, project, hubDirectory } = stage
  const source = join(stage.root, 'source')
  makeRepository(source, { first: 'f\n' })
  commitRaw(source, files)
  const commit = await importInto(stage, source)
  const directory = stage.treeAt('tree')
  succeeded(await hub.trees.open({ project, directory, commit, branch: 'muster/task' }))
  const request = { project, attemptId: newId('attempt'), directory, base: commit, message: 'rest' }
  return {
    ...stage,
    directory,
    altered: async () => succeeded(await hub.trees.alteredFiles(project, directory, commit)),
    collect: async () => succeeded(await hub.trees.collect(request)),
    objects: () => git(hubDirectory, 'count-objects', '-v'),
  }
}

function commitRaw(source: string, files: Readonly<Record<string, string>>): void {
  for (const [name, input] of Object.entries(files)) {
    const hashed = execFileSync('git', ['-C', source, 'hash-object', '-w', '--no-filters', '--stdin'], {
      input,
    })
    git(source, 'update-index', '--add', '--cacheinfo', `100644,${hashed.toString().trim()},${name}`)
  }
  git(source, 'commit', '--quiet', '-m', 'raw')
}

/** Files that are not what their own attributes make of them. */
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

/** As if every file were younger than what is known of it. */
function touchAll(directory: string, names: readonly string[]): void {
  const later = Date.now() / 1000 + 5
  for (const name of names) utimesSync(join(directory, name), later, later)
}

describe('altered files', () => {
  it('are those that were changed or removed, not those that were added', async () => {
    using scene = await openScene({ a: 'a\n', b: 'b\n', script: '#!/bin/sh\n' })
    expect(await scene.altered()).toEqual([])
    writeFiles(scene.directory, { a: 'changed\n', added: 'x' })
    rmSync(join(scene.directory, 'b'))
    chmodSync(join(scene.directory, 'script'), 0o755)
    expect(await scene.altered()).toEqual(['a', 'b', 'script'])
  })

  it('are found without a trace of them in the hub', async () => {
    using scene = await openScene({ a: 'a\n' })
    const before = scene.objects()
    writeFiles(scene.directory, { a: 'changed\n', 'left/behind': 'by a check\n', 'left/more': 'm\n' })
    expect(await scene.altered()).toEqual(['a'])
    expect(scene.objects()).toBe(before)
  })

  it('are not those that only their own attributes would convert', async () => {
    using scene = await openScene(ODD)
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

describe('collecting files that their own attributes would convert', () => {
  it('takes none that nobody has touched', async () => {
    using scene = await openScene(ODD)
    touchAll(scene.directory, Object.keys(ODD))
    expect(await scene.collect()).toMatchObject({ files: [], committedForAgent: false, omissions: [] })
    writeFiles(scene.directory, { work: 'w\n' })
    expect(await scene.collect()).toMatchObject({ files: ['work'], committedForAgent: true })
  })

  it('takes those that the agent edited, and a mode alone', async () => {
    using scene = await openScene(ODD)
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

  it('takes new rules without the files that were written by the old ones', async () => {
    using scene = await openScene(ODD)
    touchAll(scene.directory, Object.keys(ODD))
    writeFiles(scene.directory, { '.gitattributes': '*.id text\n' })
    expect(await scene.collect()).toMatchObject({ files: ['.gitattributes'] })
  })

  it('keeps the others apart when one does not fit the encoding that it declares', async () => {
    using scene = await openScene(ODD)
    touchAll(scene.directory, Object.keys(ODD))
    writeFileSync(join(scene.directory, 'bad.u16'), Buffer.from([0x00, 0xd8, 0x41]))
    const { files, omissions } = await scene.collect()
    expect(files).toEqual(['bad.u16'])
    expect(omissions).toEqual([expect.stringContaining('declared encoding')])
  })
})
