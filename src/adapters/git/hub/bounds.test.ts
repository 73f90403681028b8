import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collected } from '../../../ports/working-trees.ts'
import {
  git,
  type HubStage,
  importInto,
  makeRepository,
  newId,
  openStage,
  succeeded,
  writeFiles,
} from './testing/test-repository.ts'

const HUGE = 40 * 1024 * 1024
const LONG_NAME = 'n'.repeat(2 * 1024 * 1024)

type Scene = HubStage & {
  readonly base: string
  readonly directory: string
  readonly collect: () => Promise<Collected>
  /** Writes an object into the agent's own repository. */
  readonly make: (parts: readonly string[], input: string | Buffer) => string
}

async function openScene(): Promise<Scene> {
  const stage = openStage()
  const { hub, project } = stage
  makeRepository(join(stage.root, 'source'), { a: 'a\n' })
  const base = await importInto(stage, join(stage.root, 'source'))
  const directory = stage.treeAt('tree')
  succeeded(await hub.trees.open({ project, directory, commit: base, branch: 'muster/task' }))
  const request = { project, attemptId: newId('attempt'), directory, base, message: 'rest' }
  return {
    ...stage,
    base,
    directory,
    collect: async () => succeeded(await hub.trees.collect(request)),
    make: (parts, input) =>
      execFileSync('git', ['-C', directory, ...parts], { input, maxBuffer: 1024 })
        .toString()
        .trim(),
  }
}

function commitText(tree: string, parent: string, email: string, message: string): string {
  const by = `Agent <${email}> 1700000000 +0000`
  return `tree ${tree}\nparent ${parent}\nauthor ${by}\ncommitter ${by}\n\n${message}\n`
}

describe('what an agent makes huge', () => {
  it('is cut in the overview when it is a subject, and hides no other commit', async () => {
    using scene = await openScene()
    const { base, directory, hub, project } = scene
    const tree = git(directory, 'rev-parse', 'HEAD^{tree}')
    const text = commitText(tree, base, 'agent@example.com', 'é'.repeat(HUGE / 2))
    const tip = scene.make(['hash-object', '-t', 'commit', '-w', '--stdin'], text)
    git(directory, 'reset', '--quiet', tip)
    expect(await scene.collect()).toMatchObject({ tip, omissions: [] })
    const { recentCommits } = succeeded(await hub.history.overview(project, tip, base))

    expect(recentCommits).toEqual(['é'.repeat(200), 'first'])
  })

  it('is cut when it is the address of a committer', async () => {
    using scene = await openScene()
    const { base, directory, hub, project } = scene
    const tree = git(directory, 'rev-parse', 'HEAD^{tree}')
    const text = commitText(tree, base, `${'e'.repeat(HUGE)}@example.com`, 'by a long name')
    const tip = scene.make(['hash-object', '-t', 'commit', '-w', '--stdin'], text)
    git(directory, 'reset', '--quiet', tip)
    expect(await scene.collect()).toMatchObject({ tip, omissions: [] })
    const onto = succeeded(await hub.commits.commitFiles(project, base, { b: 'b' }, 'onto'))
    const messageOf = () => 'merged'
    const merged = succeeded(await hub.commits.mergeBatch(project, { onto, tips: [tip], messageOf }))
    expect(merged.contained).toEqual([tip])
  })

  it('is cut when it is a path or a file', async () => {
    using scene = await openScene()
    const { base, directory, hub, hubDirectory, project } = scene
    const blob = git(directory, 'rev-parse', 'HEAD:a')
    const huge = scene.make(['hash-object', '-w', '--stdin'], Buffer.alloc(HUGE, 'x'))
    const inner = scene.make(['mktree'], `100644 blob ${blob}\t${LONG_NAME}\n100644 blob ${huge}\tz\n`)
    const tree = scene.make(['mktree'], `040000 tree ${inner}\tskills\n`)
    const tip = git(directory, 'commit-tree', tree, '-p', base, '-m', 'long')
    git(hubDirectory, 'fetch', '--quiet', directory, `${tip}:refs/muster/attempts/long`)
    const overview = succeeded(await hub.history.overview(project, tip, base))
    const cut = `skills/${LONG_NAME}`.slice(0, 4096)

    expect(overview).toMatchObject({ files: [cut, 'skills/z'], changedFiles: ['a', cut, 'skills/z'] })
    expect(await hub.history.listFiles(project, tip, 'skills')).toEqual([cut, 'skills/z'])
    expect((await hub.history.readFile(project, tip, 'skills/z'))?.length).toBeGreaterThan(4_000_000)
    expect((await hub.history.readFile(project, tip, 'skills/z'))?.length).toBeLessThan(4_200_000)
    const { files } = succeeded(await hub.history.diff(project, base, tip, 1000))
    expect(files.map(({ path }) => path.length)).toEqual([4096, 8])
  })

  it('stays behind when it is a commit of more files than any disk holds', async () => {
    using scene = await openScene()
    const { base, directory } = scene
    let tree = git(directory, 'rev-parse', 'HEAD^{tree}')
    for (let level = 0; level < 9; level += 1) {
      const entries = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\t${index}\n`)
      tree = scene.make(['mktree'], entries.join(''))
    }
    const tip = git(directory, 'commit-tree', tree, '-p', base, '-m', 'a thousand million files')
    git(directory, 'update-ref', 'HEAD', tip)
    writeFiles(directory, { work: 'w' })
    const collected = await scene.collect()

    expect(collected).toMatchObject({ files: ['work'], committedForAgent: true })
    expect(collected.omissions).toEqual([expect.stringContaining('more than 2000000 files')])
    expect(git(scene.hubDirectory, 'for-each-ref', 'refs/muster/incoming')).toBe('')
  })

  it('is named a few times only when it is nested repositories', async () => {
    using scene = await openScene()
    for (let index = 0; index < 30; index += 1) {
      writeFiles(scene.directory, { [`n${index}/.git/HEAD`]: 'ref: refs/heads/main\n' })
      makeRepository(join(scene.directory, `n${index}`), { x: 'x' })
    }
    const { omissions } = await scene.collect()
    expect(omissions).toHaveLength(21)
    expect(omissions.at(-1)).toBe('and 10 more')
  })
})
