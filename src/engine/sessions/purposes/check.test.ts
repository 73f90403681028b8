import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../../test/support/example-records.ts'
import { NO_ASSIGNMENTS } from '../../../../test/support/no-assignments.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { planOf } from './plan-of.ts'
import type { ClearNeeds, PlanNeeds } from './session-plan.ts'

const SETUP = ['npm ci']
const COMMIT = 'c'.repeat(40)
let database: Kysely<Database>
let store: Store
let needs: PlanNeeds

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const settings: Partial<EngineSettings> = {
    treesDirectory: '/trees',
    passedEnvironment: { PATH: '/bin' },
    checkMinutes: 10,
    setupMs: 60_000,
  }
  needs = {
    store,
    settings: settings as EngineSettings,
    clock: { now: () => new Date() },
    assignments: NO_ASSIGNMENTS,
  }
})

afterAll(() => database.destroy())

/** Stores a candidate that the session checks, in this state. */
async function stored(
  isFresh: boolean,
  stateOf: (session: Session) => CandidateState,
  isOfLanding = false,
): Promise<Session> {
  const job = await storeExampleJob(store, { plan: { ...exampleJob().plan, setup: SETUP } })
  const candidateId = ids.next('candidate')
  const session = exampleSession(job, {
    purpose: { type: 'check', candidateId, index: 0, command: 'npm test', isFresh },
    role: 'check',
  })
  const landingId = ids.next('landing')
  await store.transact(async (records) => {
    if (isOfLanding) {
      const cycle = exampleCycle(job)
      const task = exampleTask(cycle)
      const attemptId = ids.next('attempt')
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([task], exampleChange())
      const attempt = exampleAttempt(job, { id: attemptId, purpose: { type: 'task', taskId: task.id } })
      await records.attempts.insert(attempt, exampleChange())
      await records.landings.insert(
        {
          id: landingId,
          jobId: job.id,
          taskId: task.id,
          attemptId,
          branch: job.workingBranch,
          tip: COMMIT,
          state: { type: 'queued' },
          checks: [],
          batchLimit: 1,
          version: 1,
          createdAt: new Date(),
        },
        exampleChange(),
      )
    }
    await records.candidates.insert(
      {
        id: candidateId,
        jobId: job.id,
        branch: job.workingBranch,
        purpose: isOfLanding
          ? { type: 'landings', landingIds: [landingId] }
          : { type: 'base', commit: COMMIT },
        onto: job.baseCommit,
        commit: COMMIT,
        tree: 'd'.repeat(40),
        state: stateOf(session),
        checks: [],
        version: 1,
        createdAt: new Date(),
      },
      exampleChange(),
    )
  })
  return session
}

const checking = ({ id }: Session): CandidateState => ({
  type: 'checking',
  checkIndex: 0,
  sessionId: id,
  suspects: [],
  lost: 0,
})
const dropped = (): CandidateState => ({ type: 'dropped', reason: 'moved on' })

describe('the plan of a check', () => {
  it('runs its command on the commit that would land, with time for the setup of a new tree', async () => {
    const session = await stored(true, checking, true)
    const workplace = await planOf(session).findWorkplace(needs)
    expect(workplace).toMatchObject({
      program: { type: 'command', command: 'npm test' },
      tree: { commit: COMMIT, branch: 'muster-check' },
      isFresh: true,
      setup: SETUP,
      timeMs: 11 * 60_000,
      place: { taskId: expect.stringMatching(/^tsk_/) },
    })
    expect(workplace?.environment('/session')).toEqual({ PATH: '/bin', CI: 'true', MUSTER_CHECK: COMMIT })
  })

  it('needs no setup in the tree of the check before, and no task where the base branch is checked', async () => {
    const workplace = await planOf(await stored(false, checking)).findWorkplace(needs)
    expect(workplace).toMatchObject({ isFresh: false, setup: [], timeMs: 10 * 60_000, place: {} })
  })

  it('starts and is kept only while its candidate waits for it', async () => {
    const awaited = planOf(await stored(true, checking))
    expect(await awaited.readiness(needs)).toEqual({ type: 'ready' })
    expect(await awaited.isNeeded({ store })).toBe(true)
    const late = planOf(await stored(true, dropped))
    expect(await late.readiness(needs)).toMatchObject({ type: 'never' })
    expect(await late.isNeeded({ store })).toBe(false)
  })

  it('is followed by a look at the merge queue and removes the tree of a candidate that has ended', async () => {
    const session = await stored(true, dropped)
    const plan = planOf(session)
    const outcome = { end: { type: 'exited', code: 0 }, ending: 'done', at: new Date() } as const
    const following = await store.transact((records) => plan.whenEnded(records, outcome))
    expect(following).toEqual([
      { type: 'landing-advance', jobId: session.jobId },
      { type: 'session-clear', sessionId: session.id },
    ])
    expect(await removedBy(session)).toEqual([treeOf(session)])
  })

  it('leaves the tree to the next check, and removes it once every check has passed', async () => {
    const next = (session: Session) => checking({ ...session, id: ids.next('session') })
    expect(await removedBy(await stored(false, next))).toEqual([])
    const last = await stored(false, () => ({ type: 'passed' }))
    expect(await removedBy(last)).toEqual([treeOf(last)])
  })
})

const treeOf = ({ purpose }: Session) => `/trees/${purpose.type === 'check' ? purpose.candidateId : ''}`

/** The trees that clearing up after a check removes. */
async function removedBy(session: Session): Promise<readonly string[]> {
  const removed: string[] = []
  const remove = async (directory: string) => {
    removed.push(directory)
  }
  const clearNeeds: Pick<ClearNeeds, 'store' | 'settings'> = needs
  await planOf(session).clear({ ...clearNeeds, trees: { remove } } as ClearNeeds)
  return removed
}
