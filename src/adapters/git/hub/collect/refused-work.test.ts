import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, git, openProject, writeFiles } from '../testing/test-repository.ts'

const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`src/${index}.txt`, `${index}\n`]))

describe('collecting a tree that lacks most of its files', () => {
  it('refuses the work, because the tree is more likely incomplete', async () => {
    using work = await openProject(MANY)
    await work.openTree()
    for (let index = 0; index < 16; index += 1) rmSync(join(work.directory, `src/${index}.txt`))
    writeFiles(work.directory, { new: 'x' })
    const collected = await work.collect()

    expect(collected.refusal).toBe(
      '16 of the 30 files are missing from its working tree, and none of its commits deletes them; commit a deletion that is meant',
    )
    expect(git(work.hubDirectory, 'rev-parse', `refs/muster/attempts/${work.attemptId}`)).toBe(collected.tip)
  })

  it('accepts the work if the agent committed the deletion', async () => {
    using work = await openProject(MANY)
    await work.openTree()
    rmSync(join(work.directory, 'src'), { recursive: true })
    writeFiles(work.directory, { new: 'x' })
    commitAll(work.directory, 'start over')
    writeFiles(work.directory, { new: 'y' })

    expect((await work.collect()).refusal).toBeUndefined()
  })

  it('accepts moved files and the deletion of a handful', async () => {
    using work = await openProject(MANY)
    await work.openTree()
    renameSync(join(work.directory, 'src'), join(work.directory, 'lib'))
    expect((await work.collect()).refusal).toBeUndefined()

    using small = await openProject({ a: 'a', b: 'b', c: 'c' })
    await small.openTree()
    for (const name of ['a', 'b', 'c']) rmSync(join(small.directory, name))
    expect((await small.collect()).refusal).toBeUndefined()
  })
})

describe('collecting a .gitmodules that git rejects', () => {
  const EVIL = '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch evil\n'

  it('refuses the work if the file was left uncommitted', async () => {
    using work = await openProject({ a: 'a' })
    await work.openTree()
    writeFiles(work.directory, { '.gitmodules': EVIL })

    expect((await work.collect()).refusal).toContain('git rejects its .gitmodules: ')
  })

  it('refuses the work if the agent committed the file', async () => {
    using work = await openProject({ a: 'a' })
    await work.openTree()
    writeFiles(work.directory, { '.gitmodules': EVIL, b: 'b' })
    commitAll(work.directory, 'evil')
    const collected = await work.collect()

    expect(collected.refusal).toContain('git rejects its .gitmodules: ')
    expect(collected.omissions).toHaveLength(1)
  })
})
