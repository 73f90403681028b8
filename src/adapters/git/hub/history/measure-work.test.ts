import { describe, expect, it } from 'vitest'
import {
  commitAll,
  git,
  gitWithInput,
  openProject,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

describe('the size of work', () => {
  it('counts files, lines and bytes, and lists what is new', async () => {
    using stage = await openProject({ a: '1\n2\n3\n', gone: 'x\n', binary: 'x\0' })
    const grown = await stage.commit(stage.base, {
      a: '1\ntwo\n3\n4\n',
      binary: 'y\0',
      'new/odd\nname': 'n\n',
    })
    const measured = succeeded(await stage.hub.history.measure(stage.project, stage.base, grown))

    expect(measured).toEqual({
      files: 3,
      added: 3,
      removed: 1,
      bytes: 14,
      deletedFiles: 0,
      baseFiles: 0,
      createdPaths: ['new/odd\nname'],
      baseGenerated: [],
      changedPaths: ['a', 'binary', 'new/odd\nname'],
      hasEscapes: false,
    })
    expect(succeeded(await stage.hub.history.measure(stage.project, grown, stage.base))).toMatchObject({
      deletedFiles: 1,
      baseFiles: 4,
    })
  })

  it('lists the folders of built files that the base has, if the work adds to such a folder', async () => {
    using stage = await openProject({ 'a/dist/x': 'x\n', 'a/src/dist/x': 'x\n', 'b/y': 'y\n' })
    const plain = await stage.commit(stage.base, { 'b/z': 'z\n' })
    const built = await stage.commit(stage.base, { 'b/dist/z': 'z\n' })
    const measure = async (to: string) =>
      succeeded(await stage.hub.history.measure(stage.project, stage.base, to)).baseGenerated

    expect(await measure(plain)).toEqual([])
    expect(await measure(built)).toEqual(['a/dist'])
  })

  it('finds commits that command a terminal in the middle of the work', async () => {
    using stage = await openProject({ a: 'a\n' })
    const esc = String.fromCharCode(0x1b)
    const directory = await stage.openTree()
    for (const message of ['plain', `hidden ${esc}]0;title${esc}\\`, 'plain again']) {
      writeFiles(directory, { a: message })
      commitAll(directory, message)
    }
    const { tip } = await stage.collect()
    const measured = succeeded(await stage.hub.history.measure(stage.project, stage.base, tip))

    expect(measured.hasEscapes).toBe(true)
  })

  it('counts more files than it lists', async () => {
    using stage = await openProject({ a: 'a\n' })
    const blob = git(stage.hubDirectory, 'rev-parse', `${stage.base}:a`)
    const entries = Array.from({ length: 10_050 }, (_, index) => `100644 blob ${blob}\tf${index}\n`)
    const made = gitWithInput(stage.hubDirectory, ['mktree'], entries.join(''))
    const commit = git(stage.hubDirectory, 'commit-tree', made.trimEnd(), '-m', 'many')
    const measured = succeeded(await stage.hub.history.measure(stage.project, stage.base, commit))

    expect([measured.files, measured.added, measured.createdPaths.length]).toEqual([10_051, 10_050, 10_000])
  })
})
