import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEngineWorld } from '../../../test/support/engine-world.ts'
import { exampleAttempt, exampleJob, ids } from '../../../test/support/example-records.ts'
import { GIVE_UP_AFTER_MS } from '../../domain/limits/retry-limits.ts'
import type { CrashPoint } from '../../ports/crash-points.ts'
import { treeOf } from '../trees/tree-of.ts'
import { collectWork } from './collect-work.ts'

const ENDED_AT = new Date('2026-01-01T12:00:00Z')

/** An attempt that has just ended and left a commit of these files in its tree. */
async function openEnded({ copy = [] as readonly string[], files = {} as Record<string, string> } = {}) {
  const world = await openEngineWorld()
  const { hub, repository, settings } = world
  const projectId = ids.next('project')
  const source = await hub.branches.inspectSource(repository.path)
  if (!source.ok) throw new Error(source.failure.type)
  const base = await hub.branches.importBase(projectId, source.value, undefined)
  if (!base.ok) throw new Error(base.failure.type)
  const baseCommit = base.value.commit
  const commit = await hub.commits.commitFiles(projectId, baseCommit, files, 'work')
  if (!commit.ok) throw new Error(commit.failure.type)
  const { plan } = exampleJob()
  const job = exampleJob({ projectId, baseCommit, plan: { ...plan, copy } })
  const attempt = exampleAttempt(job, { baseCommit, endedAt: ENDED_AT })
  const directory = treeOf({ settings }, attempt.id)
  const opened = await hub.trees.open({
    project: projectId,
    directory,
    commit: commit.value,
    branch: 'muster/task',
  })
  if (!opened.ok) throw new Error(opened.failure.type)
  const clock = { time: ENDED_AT }
  const reached: CrashPoint[] = []
  const needs = {
    trees: hub.trees,
    settings,
    clock: { now: () => clock.time },
    crash: { reach: (point: CrashPoint) => void reached.push(point) },
  }
  return {
    ...{ needs, job, attempt, directory, commit: commit.value, clock, reached },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

it('returns usable work, committed or not', async () => {
  await using scene = await openEnded({ files: { 'a.txt': 'a\n' } })
  await writeFile(join(scene.directory, 'b.txt'), 'b\n')
  expect(await collectWork(scene.needs, scene.job, scene.attempt)).toMatchObject({
    type: 'usable',
    files: ['a.txt', 'b.txt'],
    committedForAgent: true,
  })
  expect(scene.reached).toEqual(['attempt-settle.after-collect'])
})

it('reports work that is refused, with the commit under which it is pinned', async () => {
  await using scene = await openEnded({ copy: ['local.env'], files: { 'local.env': 'KEY=1\n' } })
  expect(await collectWork(scene.needs, scene.job, scene.attempt)).toEqual({
    type: 'failed',
    cause: 'refused',
    reason: expect.stringContaining('local.env'),
    tip: scene.commit,
  })
  expect(scene.reached).toEqual(['attempt-settle.after-collect'])
})

it('throws for a while if work cannot be collected, then reports where it is kept', async () => {
  await using scene = await openEnded()
  const { needs, job, clock } = scene
  const lost = 'd'.repeat(40)
  const attempt = { ...scene.attempt, baseCommit: lost }
  clock.time = new Date(ENDED_AT.getTime() + GIVE_UP_AFTER_MS - 1)
  await expect(collectWork(needs, job, attempt)).rejects.toThrow(
    `attempt ${attempt.id} could not be pinned: `,
  )

  clock.time = new Date(ENDED_AT.getTime() + GIVE_UP_AFTER_MS)
  const work = await collectWork(needs, job, attempt)
  expect(work).toEqual({ type: 'failed', cause: 'uncollected', reason: expect.stringContaining(lost) })
  expect(work).toHaveProperty('reason', expect.stringContaining(`it is kept in ${scene.directory}`))
  expect(scene.reached).toEqual([])
})

it('reports work at once if it can never be collected', async () => {
  await using scene = await openEnded()
  for (let count = 0; count <= 100; count += 1) {
    const nested = join(scene.directory, 'many', String(count))
    await mkdir(join(nested, '.git/objects'), { recursive: true })
    await mkdir(join(nested, '.git/refs'))
    await writeFile(join(nested, '.git/HEAD'), 'ref: refs/heads/main\n')
    await writeFile(join(nested, 'inner'), 'x\n')
  }
  expect(await collectWork(scene.needs, scene.job, scene.attempt)).toEqual({
    type: 'failed',
    cause: 'uncollected',
    reason: expect.stringContaining('more than 100 nested repositories'),
  })
})
