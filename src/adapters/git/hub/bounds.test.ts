import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  git,
  gitWithInput,
  makeRepository,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from './testing/test-repository.ts'

/** More than the hub accepts as a record, a file or an answer of a companion. */
const LARGE = 6 * 1024 * 1024
/** More than the hub reads from one git process. */
const HUGE = 33 * 1024 * 1024
const LONG_NAME = 'n'.repeat(2 * 1024 * 1024)

async function openScene(): Promise<ProjectStage> {
  const stage = await openProject()
  await stage.openTree()
  return stage
}

/** Commits in the agent's own repository. */
function commitInTree({ base, directory }: ProjectStage, email: string, message: string): string {
  const tree = git(directory, 'rev-parse', 'HEAD^{tree}')
  const by = (address: string) => `Agent <${address}> 1700000000 +0000`
  const people = `author ${by('agent@example.com')}\ncommitter ${by(email)}`
  const text = `tree ${tree}\nparent ${base}\n${people}\n\n${message}\n`
  const tip = gitWithInput(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim()
  git(directory, 'reset', '--quiet', tip)
  return tip
}

describe('a hub in which an agent made something huge', () => {
  it('cuts a huge subject in the overview and still lists the other commits', async () => {
    using scene = await openScene()
    const { base, hub, project } = scene
    const tip = commitInTree(scene, 'agent@example.com', 'é'.repeat(LARGE / 2))
    expect(await scene.collect()).toMatchObject({ tip, omissions: [] })
    const { recentCommits } = succeeded(await hub.history.overview(project, tip, base))

    expect(recentCommits).toEqual(['é'.repeat(200), 'first'])
  })

  it('cuts a huge committer address', async () => {
    using scene = await openScene()
    const { base, hub, project } = scene
    const tip = commitInTree(scene, `${'e'.repeat(HUGE)}@example.com`, 'by a long name')
    expect(await scene.collect()).toMatchObject({ tip, omissions: [] })
    const onto = await scene.commit(base, { b: 'b' })
    const messageOf = () => 'merged'
    const merged = succeeded(await hub.commits.mergeBatch(project, { onto, tips: [tip], messageOf }))
    expect(merged.contained).toEqual([tip])
  })

  it('cuts a huge path and a huge file', async () => {
    using scene = await openScene()
    const { base, directory, hub, hubDirectory, project } = scene
    const blob = git(directory, 'rev-parse', 'HEAD:a')
    const make = (command: readonly string[], input: string | Buffer) =>
      gitWithInput(directory, command, input).trim()
    const huge = make(['hash-object', '-w', '--stdin'], Buffer.alloc(LARGE, 'x'))
    const inner = make(['mktree'], `100644 blob ${blob}\t${LONG_NAME}\n100644 blob ${huge}\tz\n`)
    const tree = make(['mktree'], `040000 tree ${inner}\tskills\n`)
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

  it('leaves out a commit with more files than fit on any disk', async () => {
    using scene = await openScene()
    const { base, directory } = scene
    let tree = git(directory, 'rev-parse', 'HEAD^{tree}')
    for (let level = 0; level < 9; level += 1) {
      const entries = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\t${index}\n`)
      tree = gitWithInput(directory, ['mktree'], entries.join('')).trim()
    }
    const tip = git(directory, 'commit-tree', tree, '-p', base, '-m', 'a thousand million files')
    git(directory, 'update-ref', 'HEAD', tip)
    writeFiles(directory, { work: 'w' })
    const collected = await scene.collect()

    expect(collected).toMatchObject({ files: ['work'], committedForAgent: true })
    expect(collected.omissions).toEqual([expect.stringContaining('more than 2000000 files')])
    expect(git(scene.hubDirectory, 'for-each-ref', 'refs/muster/incoming')).toBe('')
  })

  it('takes in the files of many nested repositories', async () => {
    using scene = await openScene()
    for (let index = 0; index < 30; index += 1) {
      makeRepository(join(scene.directory, `n${index}`), { x: 'x' })
    }
    const { files, omissions } = await scene.collect()
    expect(files).toHaveLength(30)
    expect(omissions).toEqual([])
  })
})
