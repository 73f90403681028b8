import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import { describe, expect, it } from 'vitest'
import { asNobody } from '../testing/as-nobody.ts'
import { commitAll, failed, git, openProject, openStage, writeFiles } from '../testing/test-repository.ts'
import { removeTree } from './remove-tree.ts'

describe('opening a tree', () => {
  it('checks out the commit on its own branch with the identity of an agent', async () => {
    using stage = await openProject({ a: 'a', 'deep/b': 'b' })
    const directory = await stage.openTree()

    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(stage.base)
    expect(git(directory, 'symbolic-ref', 'HEAD')).toBe('refs/heads/muster/task')
    expect(git(directory, 'remote')).toBe('')
    expect(git(directory, 'config', '--local', 'user.name')).toBe('Muster agent')
    expect(readFileSync(join(directory, 'deep', 'b'), 'utf8')).toBe('b')
    writeFiles(directory, { a: 'changed' })
    commitAll(directory, 'work')
    expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe('2')
    expect(git(directory, 'fsck')).toBe('')
  })

  it('copies no history and keeps changes inside the tree', async () => {
    using stage = await openProject()
    const first = await stage.openTree({ directory: stage.treeAt('first') })
    const second = await stage.openTree({ directory: stage.treeAt('second') })
    expect(readdirSync(join(first, '.git', 'objects'))).toEqual(['info'])

    const refs = git(stage.hubDirectory, 'for-each-ref')
    writeFiles(first, { a: 'changed' })
    git(first, 'stash')
    git(first, 'branch', 'mine')
    expect(git(second, 'stash', 'list')).toBe('')
    expect(git(second, 'branch', '--list', 'mine')).toBe('')
    expect(git(stage.hubDirectory, 'for-each-ref')).toBe(refs)
  })

  it('keeps links, executables, line endings and nested repositories', async () => {
    const prepare = (source: string) => {
      chmodSync(join(source, 'run.sh'), 0o755)
      symlinkSync('run.sh', join(source, 'link'))
      writeFiles(source, { 'x.bat': 'one\ntwo\n', 'data.big': 'pointer' })
      git(source, 'update-index', '--add', '--cacheinfo', `160000,${git(source, 'rev-parse', 'HEAD')},nested`)
      git(source, 'add', '.gitattributes', 'run.sh', 'link', 'x.bat', 'data.big')
      git(source, 'commit', '--quiet', '-m', 'all kinds')
    }
    const attributes = '*.bat eol=crlf\n*.big filter=lfs\n'
    const files = { '.gitattributes': attributes, 'run.sh': '#!/bin/sh\n' }
    using stage = await openProject(files, { prepare })
    const directory = await stage.openTree()

    expect(readlinkSync(join(directory, 'link'))).toBe('run.sh')
    expect(lstatSync(join(directory, 'run.sh')).mode & 0o111).toBe(0o111)
    expect(readFileSync(join(directory, 'x.bat'), 'utf8')).toBe('one\r\ntwo\r\n')
    expect(readFileSync(join(directory, 'data.big'), 'utf8')).toBe('pointer')
    expect(readdirSync(join(directory, 'nested'))).toEqual([])
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  it('leaves an existing tree unchanged', async () => {
    using stage = await openProject()
    const directory = await stage.openTree()
    writeFiles(directory, { a: 'in work' })
    await stage.openTree()

    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('in work')
  })

  it('makes one tree if many calls ask for it at once, and leaves nothing else behind', async () => {
    using stage = await openProject()
    mkdirSync(`${stage.treeAt('tree')}.new.of-a-dead-call`, { recursive: true })
    await Promise.all(Array.from({ length: 5 }, () => stage.openTree()))

    expect(readdirSync(join(stage.root, 'trees')).sort()).toEqual(['tree', `tree.index.${stage.base}`])
  })

  it('works at a path with unusual characters', async () => {
    using stage = await openProject()
    const directory = await stage.openTree({ directory: stage.treeAt('with "quote"\nand -dash é') })

    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  it('leaves nothing behind if the commit does not exist or the branch name is invalid', async () => {
    using stage = await openProject()
    const { project, directory, base: commit } = stage
    const request = { project, directory, commit, branch: 'b' }

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
  it('succeeds if there is no tree', async () => {
    using stage = openStage()

    await expect(stage.hub.trees.remove(stage.treeAt('none'))).resolves.toBeUndefined()
  })

  it('removes names that are not text, and removes links without following them', async () => {
    using stage = openStage()
    const directory = stage.treeAt('tree')
    writeFiles(stage.root, { 'kept/file': 'kept', 'trees/tree/x': 'x', 'trees/tree.new.dead/y': 'y' })
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff, 0xfe])]), 'odd')
    symlinkSync(join(stage.root, 'kept'), join(directory, 'link'))
    await stage.hub.trees.remove(directory)

    expect(readdirSync(join(stage.root, 'trees'))).toEqual([])
    expect(readFileSync(join(stage.root, 'kept', 'file'), 'utf8')).toBe('kept')
  })

  it('removes folders that are too deep for a path', async () => {
    using stage = openStage()
    const directory = stage.treeAt('tree')
    mkdirSync(directory, { recursive: true })
    const dig = 'for i in $(seq 60); do mkdir "$1" && cd -P "$1" || exit 1; done; touch bottom'
    execFileSync('sh', ['-c', dig, 'sh', 'd'.repeat(200)], { cwd: directory })
    await stage.hub.trees.remove(directory)

    expect(readdirSync(join(stage.root, 'trees'))).toEqual([])
  })

  it('removes folders without write permission', async () => {
    const root = mkdtempSync(join(tmpdir(), 'muster-remove-'))
    const directory = join(root, 'tree')
    mkdirSync(join(directory, 'a', 'b'), { recursive: true })
    writeFiles(directory, { 'a/b/file': 'x' })
    try {
      await asNobody(root, async () => {
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
