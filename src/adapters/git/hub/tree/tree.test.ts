import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setegid, seteuid } from 'node:process'
import { describe, expect, it } from 'vitest'
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
import { removeTree } from './remove-tree.ts'

async function open(stage: HubStage, commit: string, name = 'tree', branch = 'muster/task') {
  const directory = stage.treeAt(name)
  succeeded(await stage.hub.trees.open({ project: stage.project, directory, commit, branch }))
  return directory
}

describe('opening a tree', () => {
  it('checks out the commit on a branch of its own, clean, with the identity of an agent', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const commit = makeRepository(source, { a: 'a', 'deep/b': 'b' })
    const directory = await open(stage, await importInto(stage, source))

    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
    expect(git(directory, 'symbolic-ref', 'HEAD')).toBe('refs/heads/muster/task')
    expect(git(directory, 'remote')).toBe('')
    expect(git(directory, 'config', '--local', 'user.name')).toBe('Muster agent')
    expect(readFileSync(join(directory, 'deep', 'b'), 'utf8')).toBe('b')
    writeFiles(directory, { a: 'changed' })
    commitAll(directory, 'work')
    expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe('2')
    expect(git(directory, 'fsck')).toBe('')
  })

  it('has no copy of the history, and keeps what is done in it to itself', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { a: 'a' })
    const base = await importInto(stage, source)
    const first = await open(stage, base, 'first')
    const second = await open(stage, base, 'second')
    expect(readdirSync(join(first, '.git', 'objects'))).toEqual(['info'])

    const refs = git(stage.hubDirectory, 'for-each-ref')
    writeFiles(first, { a: 'changed' })
    git(first, 'stash')
    git(first, 'branch', 'mine')
    expect(git(second, 'stash', 'list')).toBe('')
    expect(git(second, 'branch', '--list', 'mine')).toBe('')
    expect(git(stage.hubDirectory, 'for-each-ref')).toBe(refs)
  })

  it('brings links, executables, line ends and nested repositories as they were committed', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, {
      '.gitattributes': '*.bat eol=crlf\n*.big filter=lfs\n',
      'run.sh': '#!/bin/sh\n',
    })
    chmodSync(join(source, 'run.sh'), 0o755)
    symlinkSync('run.sh', join(source, 'link'))
    writeFiles(source, { 'x.bat': 'one\ntwo\n', 'data.big': 'pointer' })
    git(source, 'update-index', '--add', '--cacheinfo', `160000,${git(source, 'rev-parse', 'HEAD')},nested`)
    git(source, 'add', '.gitattributes', 'run.sh', 'link', 'x.bat', 'data.big')
    git(source, 'commit', '--quiet', '-m', 'all kinds')
    const directory = await open(stage, await importInto(stage, source))

    expect(readlinkSync(join(directory, 'link'))).toBe('run.sh')
    expect(lstatSync(join(directory, 'run.sh')).mode & 0o111).toBe(0o111)
    expect(readFileSync(join(directory, 'x.bat'), 'utf8')).toBe('one\r\ntwo\r\n')
    expect(readFileSync(join(directory, 'data.big'), 'utf8')).toBe('pointer')
    expect(readdirSync(join(directory, 'nested'))).toEqual([])
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  it('leaves a tree that is there as it is', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { a: 'a' })
    const base = await importInto(stage, source)
    const directory = await open(stage, base)
    writeFiles(directory, { a: 'in work' })
    await open(stage, base)

    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('in work')
  })

  it('makes one tree when many ask for it at once, and leaves nothing else beside it', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { a: 'a' })
    const base = await importInto(stage, source)
    mkdirSync(`${stage.treeAt('tree')}.new.of-a-dead-call`, { recursive: true })
    await Promise.all(Array.from({ length: 5 }, () => open(stage, base)))

    expect(readdirSync(join(stage.root, 'trees')).sort()).toEqual(['tree', `tree.index.${base}`])
  })

  it('works at paths and hubs with odd names', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { a: 'a' })
    const directory = await open(stage, await importInto(stage, source), 'with "quote"\nand -dash é')

    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  it('leaves nothing behind when the commit is not in the hub or the branch has no proper name', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    makeRepository(source, { a: 'a' })
    const base = await importInto(stage, source)
    const request = { project: stage.project, directory: stage.treeAt('tree'), commit: base, branch: 'b' }

    for (const wrong of [{ commit: 'a'.repeat(40) }, { commit: '--help' }, { branch: '../../x' }]) {
      expect(failed(await stage.hub.trees.open({ ...request, ...wrong }))).toMatchObject({
        type: 'git-failed',
        command: 'git read-tree',
      })
    }
    expect(existsSync(join(stage.root, 'trees')) ? readdirSync(join(stage.root, 'trees')) : []).toEqual([])
  })
})

describe('removing a tree', () => {
  it('does not mind that there is none', async () => {
    using stage = openStage()

    await expect(stage.hub.trees.remove(stage.treeAt('none'))).resolves.toBeUndefined()
  })

  it('removes names that are no text and links without following them', async () => {
    using stage = openStage()
    const directory = stage.treeAt('tree')
    writeFiles(stage.root, { 'kept/file': 'kept', 'trees/tree/x': 'x', 'trees/tree.new.dead/y': 'y' })
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff, 0xfe])]), 'odd')
    symlinkSync(join(stage.root, 'kept'), join(directory, 'link'))
    await stage.hub.trees.remove(directory)

    expect(readdirSync(join(stage.root, 'trees'))).toEqual([])
    expect(readFileSync(join(stage.root, 'kept', 'file'), 'utf8')).toBe('kept')
  })

  it('removes folders that lie deeper than a path can say', async () => {
    using stage = openStage()
    const directory = stage.treeAt('tree')
    mkdirSync(directory, { recursive: true })
    const dig = 'for i in $(seq 60); do mkdir "$1" && cd -P "$1" || exit 1; done; touch bottom'
    execFileSync('sh', ['-c', dig, 'sh', 'd'.repeat(200)], { cwd: directory })
    await stage.hub.trees.remove(directory)

    expect(readdirSync(join(stage.root, 'trees'))).toEqual([])
  })

  it('removes folders that forbid it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'muster-remove-'))
    const directory = join(root, 'tree')
    mkdirSync(join(directory, 'a', 'b'), { recursive: true })
    writeFiles(directory, { 'a/b/file': 'x' })
    try {
      await asNobody([root, directory, join(directory, 'a'), join(directory, 'a', 'b')], async () => {
        chmodSync(join(directory, 'a', 'b'), 0o555)
        chmodSync(join(directory, 'a'), 0o000)
        await removeTree(directory)
      })

      expect(readdirSync(root)).toEqual([])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

/** Root is forbidden nothing: there the work is done as somebody else, who owns these folders. */
async function asNobody(owned: readonly string[], work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return await work()
  const nobody = 65_534
  for (const path of owned) chownSync(path, nobody, nobody)
  setegid?.(nobody)
  seteuid?.(nobody)
  try {
    await work()
  } finally {
    seteuid?.(0)
    setegid?.(0)
  }
}
