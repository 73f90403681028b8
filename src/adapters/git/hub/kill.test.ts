import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { trials } from '../../../../test/support/trials.ts'
import type { ChildTask } from './testing/hub-in-child.ts'
import {
  commitAll,
  git,
  type HubStage,
  newId,
  openProject,
  succeeded,
  writeFiles,
} from './testing/test-repository.ts'

const CHILD = fileURLToPath(new URL('./testing/hub-in-child.ts', import.meta.url))
const TRIALS = trials(4, 20)
const FILES = Object.fromEntries(
  Array.from({ length: 120 }, (_, index) => [`folder${index % 7}/file${index}`, `${index}\n`.repeat(50)]),
)

function startChild(stage: HubStage, call: ChildTask['call']) {
  const options = {
    hubsDirectory: join(stage.root, 'hubs'),
    gitConfigFile: join(stage.root, 'gitconfig'),
    warmDirectory: join(stage.root, 'warm'),
  }
  const task: ChildTask = { options, call }
  return spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The git processes that work on this git directory. */
function processesIn(gitDirectory: string): readonly string[] {
  const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return listed.filter((line) => line.includes(`--git-dir=${gitDirectory} `))
}

/** Runs the call in another process, kills that process after a while, and returns how long it ran. */
async function killDuring(stage: HubStage, call: ChildTask['call'], afterMs: number): Promise<number> {
  const child = startChild(stage, call)
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  const startedAt = performance.now()
  await Promise.race([ended, sleep(afterMs, undefined, { ref: false })])
  child.kill('SIGKILL')
  await ended
  return performance.now() - startedAt
}

/** A random moment of the call, spread over the trials so that they cover all of it. */
function momentOf(trial: number, wholeMs: number): number {
  return ((trial + Math.random()) / TRIALS) * wholeMs
}

describe('a crash', { timeout: 240_000 }, () => {
  it('while a tree is opened leaves nothing that a second call cannot finish', async () => {
    using stage = await openProject(FILES)
    const { base: commit } = stage
    const requestFor = (name: string) => ({
      project: stage.project,
      directory: stage.treeAt(name),
      commit,
      branch: 'muster/task',
    })
    const wholeMs = await killDuring(stage, { type: 'open-tree', request: requestFor('whole') }, 60_000)
    let interrupted = 0
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const request = requestFor(`trial${trial}`)
      await killDuring(stage, { type: 'open-tree', request }, momentOf(trial, wholeMs))
      if (!existsSync(request.directory)) interrupted += 1
      succeeded(await stage.hub.trees.open(request))

      expect(git(request.directory, 'status', '--porcelain')).toBe('')
      expect(git(request.directory, 'ls-files').split('\n')).toHaveLength(120)
      await stage.hub.trees.remove(request.directory)
    }

    expect(interrupted).toBeGreaterThan(0)
    await stage.hub.trees.remove(stage.treeAt('whole'))
    expect(readdirSync(join(stage.root, 'trees'))).toEqual([])
    expect(git(stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('while a tree is collected loses no work', async () => {
    using stage = await openProject(FILES)
    const { base } = stage
    const prepare = async (name: string) => {
      const directory = await stage.openTree({ directory: stage.treeAt(name) })
      for (let file = 0; file < 20; file += 1) writeFiles(directory, { [`own${file}`]: `${name} ${file}` })
      commitAll(directory, name)
      for (let file = 0; file < 20; file += 1) writeFiles(directory, { [`rest${file}`]: `${name} ${file}` })
      return { project: stage.project, attemptId: newId('attempt'), directory, base, message: 'rest' }
    }
    const wholeMs = await killDuring(stage, { type: 'collect', request: await prepare('whole') }, 60_000)
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const request = await prepare(`trial${trial}`)
      await killDuring(stage, { type: 'collect', request }, momentOf(trial, wholeMs))
      const collected = succeeded(await stage.hub.trees.collect(request))

      if (collected.type === 'refused') throw new Error(collected.reason)
      expect(collected).toMatchObject({ committedForAgent: true, omissions: [] })
      expect(collected.commits).toHaveLength(2)
      expect(collected.files).toHaveLength(40)
      expect(git(stage.hubDirectory, 'rev-parse', `refs/muster/attempts/${request.attemptId}`)).toBe(
        collected.tip,
      )
      expect(succeeded(await stage.hub.trees.collect(request))).toEqual(collected)
      await stage.hub.trees.remove(request.directory)
    }

    expect(git(stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('while warm trees are made or taken leaves only complete trees', async () => {
    using stage = await openProject(FILES)
    const { hub, project, root, base: first } = stage
    const second = await stage.commit(first, { 'folder1/new': 'x' })
    const wholeMs = await killDuring(
      stage,
      { type: 'warm-trees', request: { project, commit: first, count: 2 } },
      60_000,
    )
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const commit = trial % 2 === 0 ? second : first
      const afterMs = momentOf(trial, wholeMs) / (1 + (trial % 3))
      const warm = { project, commit, count: 1 + (trial % 3) }
      await killDuring(stage, { type: 'warm-trees', request: warm }, afterMs)
      const request = { project, directory: stage.treeAt('tree'), commit, branch: 'b' }
      await killDuring(stage, { type: 'open-tree', request }, afterMs / 2)
      succeeded(await hub.trees.open(request))

      expect(git(request.directory, 'status', '--porcelain')).toBe('')
      expect(git(request.directory, 'rev-parse', 'HEAD')).toBe(commit)
      expect(git(request.directory, 'diff', '--stat', commit)).toBe('')
      await hub.trees.remove(request.directory)
      expect(readdirSync(join(root, 'trees'))).toEqual([])
    }
    succeeded(await hub.trees.warm({ project, commit: first, count: 2 }))

    expect(readdirSync(join(root, 'warm', project)).filter((name) => name.startsWith(first))).toHaveLength(2)
    expect(readdirSync(join(root, 'warm', project))).toHaveLength(2)
  })

  it('of the daemon ends its companions', async () => {
    using stage = await openProject()
    const { project, base: onto } = stage
    const tip = await stage.commit(onto, { new: 'x' })
    stage.hub[Symbol.dispose]()
    const gits = () => processesIn(stage.hubDirectory)
    await vi.waitFor(() => expect(gits()).toEqual([]))
    const child = startChild(stage, { type: 'merge-and-stay', project, onto, tips: [tip] })
    await vi.waitFor(() => expect(gits().length).toBeGreaterThan(0), { timeout: 10_000 })
    child.kill('SIGKILL')
    await once(child, 'exit')

    await vi.waitFor(() => expect(gits()).toEqual([]), { timeout: 10_000 })
  })

  it('while a tree is removed never leaves half of it under its name', async () => {
    using stage = await openProject(FILES)
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const directory = await stage.openTree()
      await killDuring(stage, { type: 'remove-tree', directory }, Math.random() * 10)
      await stage.openTree()

      expect(git(directory, 'status', '--porcelain')).toBe('')
      expect(readdirSync(join(stage.root, 'trees')).sort()).toEqual(['tree', `tree.index.${stage.base}`])
    }
  })
})
