import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ageObjects } from '../../../test/support/age-objects.ts'
import { type CleanupTrial, openCleanupTrial } from '../../../test/support/cleanup-trial.ts'
import { exampleChange, exampleSession, ids } from '../../../test/support/example-records.ts'
import type { Baseline } from '../../domain/baseline/baseline.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import { hostOf } from '../sessions/host-of.ts'
import { treeOf } from '../trees/tree-of.ts'
import { collectGarbage, type GarbageNeeds } from './collect-garbage.ts'

let trial: CleanupTrial
let needs: GarbageNeeds
let isBackupRunning = false

beforeAll(async () => {
  trial = await openCleanupTrial()
  needs = {
    ...trial.needs,
    upkeep: trial.hub.upkeep,
    sendWork: async () => {},
    answerMessage: async () => {},
    withoutBackup: async (work) => {
      if (!isBackupRunning) await work()
      return !isBackupRunning
    },
  }
})

afterAll(() => trial[Symbol.asyncDispose]())

async function collect(isDryRun = false) {
  const items = await collectGarbage(needs, isDryRun)
  return items.filter(({ what }) => what !== 'objects')
}

async function collectObjects() {
  return (await collectGarbage(needs, false)).find(({ what }) => what === 'objects')
}

/** An old commit that nothing names. */
async function addWaste() {
  const { projectId, baseCommit } = trial
  const waste = randomBytes(9_000).toString('hex')
  await trial.hub.commits.commitFiles(projectId, baseCommit, { waste }, 'waste')
  ageObjects(join(needs.settings.hubsDirectory, `${projectId}.git`))
}

it('finds nothing in a home without leftovers', async () => {
  expect(await collect()).toEqual([])
})

it('removes the files of ended and of deleted sessions, and shows them first', async () => {
  const job = await trial.addJob()
  const { session } = await trial.addWork(job)
  const directory = needs.host.directoryOf(hostOf(session))
  const stray = hostOf({ ...session, id: ids.next('session') })
  await writeFile(join(await needs.host.prepare(stray), 'spool'), 'x')
  const found = [
    { what: 'session-files', name: session.id, reason: 'its session has ended', isKept: false },
    { what: 'session-files', name: stray, reason: 'its session was deleted', isKept: false },
  ]
  const shown = await collect(true)
  expect(shown).toMatchObject(found.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
  expect(shown.every(({ bytes }) => bytes > 0)).toBe(true)
  expect(await needs.disk.exists(directory)).toBe(true)
  expect(await collect()).toHaveLength(2)
  expect(await needs.disk.exists(directory)).toBe(false)
})

it('removes trees whose work is pinned, and keeps a tree that no record explains', async () => {
  const job = await trial.addJob()
  const { attempt } = await trial.addWork(job)
  await collect()
  const { projectId: project, baseCommit: commit } = trial
  const directory = treeOf(needs, attempt.id)
  await trial.hub.trees.open({ project, directory, commit, branch: 'muster/task' })
  const unknown = treeOf(needs, ids.next('attempt'))
  await mkdir(unknown)
  expect(await collect()).toMatchObject([
    { what: 'working-tree', name: attempt.id, isKept: false },
    { what: 'working-tree', reason: 'no record refers to it, and it may contain work', isKept: true },
  ])
  expect(await needs.disk.exists(directory)).toBe(false)
  expect(await needs.disk.exists(unknown)).toBe(true)
  // The tree borrows objects, perhaps of this project.
  await addWaste()
  expect(await collectObjects()).toMatchObject({
    isKept: true,
    reason: expect.stringContaining('may use it'),
  })
  await needs.trees.remove(unknown)
})

it('shows in a dry run that work is not pinned yet, or could not be', async () => {
  const job = await trial.addJob()
  const { attempt } = await trial.addWork(job, { isPinned: false })
  await collect()
  const { projectId: project, baseCommit: commit } = trial
  const directory = treeOf(needs, attempt.id)
  await trial.hub.trees.open({ project, directory, commit, branch: 'muster/task' })
  expect(await collect(true)).toMatchObject([
    { reason: 'its attempt has ended, and its work would be pinned first', isKept: false },
  ])
  needs.settings.keptTrees.add(attempt.id)
  expect(await collect(true)).toMatchObject([
    { reason: "its work couldn't be collected, and this is the only copy", isKept: true },
  ])
  expect(await collect()).toMatchObject([{ name: attempt.id, isKept: false }])
  expect(await needs.disk.exists(directory)).toBe(false)
})

it('removes what the reconciler would remove: files of earlier processes, and trees that were only checked', async () => {
  const job = await trial.addJob({ state: { type: 'running', pausing: false } })
  const { projectId, repositoryPath, baseCommit } = job
  const personal = { type: 'personal', projectId, repositoryPath, baseCommit, branch: 'muster/me' } as const
  const agent = { name: 'one', provider: 'command', roles: [], env: [] }
  const purpose = { ...personal, agent, sandbox: USUAL_SANDBOX, prompt: 'look around' }
  const session = exampleSession(job, { purpose, processNumber: 2 })
  await trial.store.transact((records) => records.sessions.insert(session, exampleChange()))
  const [earlier, current] = [1, 2].map((processNumber) => hostOf({ ...session, processNumber }))
  for (const hostId of [earlier, current]) {
    if (hostId !== undefined) await writeFile(join(await needs.host.prepare(hostId), 'spool'), 'x')
  }
  const candidate: Candidate = {
    id: ids.next('candidate'),
    jobId: job.id,
    branch: job.workingBranch,
    purpose: { type: 'base', commit: baseCommit },
    onto: baseCommit,
    commit: baseCommit,
    tree: 't',
    state: { type: 'passed' },
    checks: [],
    version: 1,
    createdAt: trial.clock.time,
  }
  await trial.store.transact((records) => records.candidates.insert(candidate, exampleChange()))
  await mkdir(treeOf(needs, candidate.id))
  expect(await collect()).toMatchObject([
    { what: 'session-files', name: earlier, reason: 'its session has started another program since' },
    { what: 'working-tree', name: candidate.id, isKept: false },
  ])
  expect(await needs.host.list()).toEqual([current])
  await needs.host.remove(hostOf(session))
  await trial.store.transact(async (records) => {
    const terminated = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await records.sessions.save({ ...session, state: terminated }, exampleChange())
    await records.candidates.save({ ...candidate, state: { type: 'landed' } }, exampleChange())
    await records.jobs.save({ ...job, state: { type: 'cancelled', reason: 'over' } }, exampleChange())
  })
})

it('removes results of base checks that are old and that no job refers to', async () => {
  const endedAt = new Date(trial.clock.time.getTime() - (CLEANUP_LIMITS.baselineDays + 1) * 24 * 60 * 60_000)
  const baseline = (fields: Partial<Baseline> = {}): Baseline => ({
    id: ids.next('baseline'),
    projectId: trial.projectId,
    repositoryPath: trial.repository.path,
    commit: trial.baseCommit,
    tree: 't',
    digest: ids.next('baseline'),
    checks: [],
    setup: [],
    copy: [],
    sandbox: USUAL_SANDBOX,
    state: { type: 'passed' },
    results: [],
    version: 1,
    createdAt: endedAt,
    endedAt,
    ...fields,
  })
  const [old, young, used] = [baseline(), baseline({ endedAt: trial.clock.time }), baseline()]
  await trial.store.transact(async (records) => {
    for (const one of [old, young, used]) await records.baselines.ensure(one, exampleChange())
  })
  await trial.addJob({ base: { type: 'passed', baselineId: used.id, fixCycles: 0 } })
  expect(await collect()).toMatchObject([{ what: 'base-check', name: old.id, isKept: false }])
  const left = await trial.store.read.baselines.findMany([old.id, young.id, used.id])
  expect(left.map(({ id }) => id).toSorted()).toEqual([young.id, used.id].toSorted())
})

it('compacts the hub of an idle project, but not while a backup copies it', async () => {
  await addWaste()
  isBackupRunning = true
  expect(await collectObjects()).toMatchObject({ isKept: true, reason: 'a backup is running' })
  isBackupRunning = false
  const compacted = await collectObjects()
  expect(compacted).toMatchObject({ name: trial.projectId, isKept: false })
  expect(compacted?.bytes).toBeGreaterThan(9_000)
  expect(await collectObjects()).toBeUndefined()
  await addWaste()
  const running = await trial.addJob({ state: { type: 'running', pausing: false } })
  expect(await collectObjects()).toMatchObject({ isKept: true, reason: `${running.id} has not ended` })
})
