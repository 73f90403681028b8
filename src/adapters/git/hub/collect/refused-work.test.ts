import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  commitAll,
  git,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`src/${index}.txt`, `${index}\n`]))

describe('collecting a tree that lacks most of its files', () => {
  it('refuses the work, because the tree is more likely incomplete', async () => {
    using work = await openProject(MANY)
    await work.openTree()
    for (let index = 0; index < 16; index += 1) rmSync(join(work.directory, `src/${index}.txt`))
    writeFiles(work.directory, { new: 'x' })
    const collected = await work.collectRefused()

    expect(collected.reason).toBe(
      '16 of the 30 files are missing from its working tree, and none of its commits deletes them; if the deletion is intended, commit it',
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

    expect((await work.collect()).files).toContain('new')
  })

  it('accepts moved files and the deletion of a handful', async () => {
    using work = await openProject(MANY)
    await work.openTree()
    renameSync(join(work.directory, 'src'), join(work.directory, 'lib'))
    expect((await work.collect()).files).toContain('lib/0.txt')

    using small = await openProject({ a: 'a', b: 'b', c: 'c' })
    await small.openTree()
    for (const name of ['a', 'b', 'c']) rmSync(join(small.directory, name))
    expect((await small.collect()).files).toEqual(['a', 'b', 'c'])
  })
})

describe('collecting a .gitmodules that git rejects', () => {
  const EVIL = '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch evil\n'

  it('refuses the work if the file was left uncommitted', async () => {
    using work = await openProject({ a: 'a' })
    await work.openTree()
    writeFiles(work.directory, { '.gitmodules': EVIL })

    expect((await work.collectRefused()).reason).toContain('git rejects its .gitmodules: ')
  })

  it('refuses the work if the agent committed the file', async () => {
    using work = await openProject({ a: 'a' })
    await work.openTree()
    writeFiles(work.directory, { '.gitmodules': EVIL, b: 'b' })
    commitAll(work.directory, 'evil')

    expect((await work.collectRefused()).reason).toContain('git rejects its .gitmodules: ')
  })
})

describe('refused work', () => {
  /** A tree that lacks most of its files, whose work was refused. */
  async function refuse() {
    const work = await openProject(MANY)
    await work.openTree()
    for (let index = 0; index < 16; index += 1) rmSync(join(work.directory, `src/${index}.txt`))
    return { work, refused: await work.collectRefused() }
  }

  const pins = async ({ hub, project }: ProjectStage) => succeeded(await hub.pins.list(project))

  it('is pinned with the reason, and both are removed together', async () => {
    const { work, refused } = await refuse()
    using _ = work
    const { attemptId, project, hub } = work
    expect(await pins(work)).toEqual([{ id: attemptId, commit: refused.tip, refusal: refused.reason }])
    expect(git(work.hubDirectory, 'fsck', '--no-dangling')).toBe('')
    succeeded(await hub.pins.remove(project, [attemptId]))
    expect(git(work.hubDirectory, 'for-each-ref', 'refs/muster/attempts', 'refs/muster/refusals')).toBe('')
  })

  it('stays refused after its tree is gone, and in a tree that is opened from it', async () => {
    const { work, refused } = await refuse()
    using _ = work
    await work.hub.trees.remove(work.directory)
    expect(await work.collectRefused()).toEqual(refused)
    await work.openTree({ commit: refused.tip })
    expect(await work.collectRefused()).toEqual(refused)
    writeFiles(work.directory, { more: 'm' })
    const more = await work.collectRefused()
    expect(more).toMatchObject({ reason: refused.reason })
    expect(await pins(work)).toMatchObject([{ commit: more.tip, refusal: refused.reason }])
  })

  it('can be replaced by other work that is usable', async () => {
    const { work } = await refuse()
    using _ = work
    git(work.directory, 'checkout', '--quiet', '.')
    writeFiles(work.directory, { new: 'x' })
    const { tip } = await work.collect()
    expect(await pins(work)).toEqual([{ id: work.attemptId, commit: tip }])
  })
})
