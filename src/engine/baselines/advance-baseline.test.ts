import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type LandingTrial, openLandingTrial } from '../../../test/support/landing-trial.ts'
import { take } from '../../../test/support/take.ts'
import type { Baseline } from '../../domain/baseline/baseline.ts'
import type { BaselineId } from '../../domain/id.ts'
import type { JobPlan } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import { advanceBaseline } from './advance-baseline.ts'
import { ensureBaseline } from './ensure-baseline.ts'

const PASSED: SessionEnd = { type: 'exited', code: 0 }
const FAILED: SessionEnd = { type: 'exited', code: 1 }
const LOST: SessionEnd = { type: 'lost', reason: 'no exit status' }

let trial: LandingTrial
beforeAll(async () => {
  trial = await openLandingTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

/** Each test has its own commands, because jobs with the same commands share a baseline. */
let count = 0
function plan(): Pick<JobPlan, 'checks'> {
  count += 1
  return { checks: [`lint ${count}`, `test ${count}`] }
}

async function begin(fields: Partial<JobPlan> = plan()): Promise<BaselineId> {
  const { job } = await trial.openQueue(fields)
  const { needs } = trial
  const ensured = await needs.store.transact((records) => ensureBaseline(needs, records, job))
  if (ensured === undefined) throw new Error('no baseline')
  return ensured.baseline.id
}

async function find(id: BaselineId): Promise<Baseline> {
  const baseline = await trial.needs.store.read.baselines.find(id)
  if (baseline === undefined) throw new Error('no baseline')
  return baseline
}

async function sessionOf({ state }: Baseline): Promise<Session> {
  const id = state.type === 'checking' ? state.sessionId : undefined
  const session = id === undefined ? undefined : await trial.needs.store.read.sessions.find(id)
  if (session === undefined) throw new Error('no check is running')
  return session
}

/** Ends one check after another in these ways. `alter`: a file that each of them changes. */
async function play(id: BaselineId, ends: readonly SessionEnd[], alter?: string): Promise<Baseline> {
  const { store, trees, settings } = trial.needs
  for (const end of ends) {
    const baseline = await find(id)
    const session = await sessionOf(baseline)
    const directory = join(settings.treesDirectory, id)
    const { projectId: project, commit } = baseline
    if (isFresh(session)) await trees.remove(directory)
    take(await trees.open({ project, directory, commit, branch: 'muster-check' }))
    if (alter !== undefined) await writeFile(join(directory, alter), 'changed\n')
    await store.transact((records) =>
      records.sessions.save({ ...session, state: { type: 'terminated', end } }, exampleChange()),
    )
    await advanceBaseline(trial.needs, id)
    // The work may arrive twice.
    await advanceBaseline(trial.needs, id)
  }
  return find(id)
}

const isFresh = ({ purpose }: Session) => purpose.type === 'baseline' && purpose.isFresh

describe('the checks of a base', () => {
  it('run one after another in one tree, and pass', async () => {
    const id = await begin()
    const second = await play(id, [PASSED])
    expect(second).toMatchObject({
      state: { type: 'checking', checkIndex: 1 },
      results: [{ detail: 'passed' }],
    })
    expect(await sessionOf(second)).toMatchObject({ purpose: { index: 1, isFresh: false } })
    const passed = await play(id, [PASSED])
    expect(passed).toMatchObject({ state: { type: 'passed' }, endedAt: expect.any(Date) })
    expect(passed.results).toEqual(second.checks.map((command) => ({ command, detail: 'passed' })))
  })

  it('all run again in a new tree after a failure, and a check that passes then is flaky', async () => {
    const id = await begin()
    const again = await play(id, [PASSED, FAILED])
    expect(again).toMatchObject({ state: { checkIndex: 0, suspects: [1], lost: 0 }, results: [] })
    expect(await sessionOf(again)).toMatchObject({ purpose: { index: 0, isFresh: true } })
    const { state, results } = await play(id, [PASSED, PASSED])
    expect(state).toEqual({ type: 'passed' })
    expect(results).toMatchObject([{ detail: 'passed' }, { isFlaky: true }])
  })

  it('continue after a failure, in a new tree if the check changed files', async () => {
    const id = await begin()
    const clean = await play(id, [FAILED, FAILED])
    expect(clean).toMatchObject({ state: { checkIndex: 1 }, results: [{ failure: 'exited' }] })
    expect(isFresh(await sessionOf(clean))).toBe(false)
    expect(await play(id, [PASSED])).toMatchObject({
      state: { type: 'failed' },
      results: [{ failure: 'exited' }, { detail: 'passed' }],
    })
    const altered = await play(await begin(), [PASSED], 'a.txt')
    expect(altered).toMatchObject({
      state: { checkIndex: 1, suspects: [] },
      results: [{ failure: 'altered' }],
    })
    expect(isFresh(await sessionOf(altered))).toBe(true)
  })

  it('have no verdict if results are lost again and again', async () => {
    const id = await begin()
    const again = await play(id, [PASSED, LOST])
    expect(again).toMatchObject({ state: { checkIndex: 0, suspects: [], lost: 1 }, results: [] })
    const unknown = await play(id, [LOST, PASSED, LOST])
    expect(unknown.state).toEqual({ type: 'unknown', reason: expect.stringContaining('no exit status') })
    expect(unknown.results).toMatchObject([{ detail: 'passed' }])
  })

  it('end with a setup that fails, named by its command', async () => {
    const unprepared: SessionEnd = { type: 'unprepared', command: 'make', code: 2 }
    const id = await begin({ ...plan(), setup: ['make'] })
    expect(await play(id, [unprepared, unprepared, unprepared])).toMatchObject({
      state: { type: 'failed' },
      results: [{ command: 'make', failure: 'setup' }],
    })
  })

  it('are released if they are stopped', async () => {
    const released = await play(await begin(), [PASSED, { type: 'cancelled', reason: 'no job is waiting' }])
    expect(released.state).toEqual({ type: 'released' })
    expect(released.results).toMatchObject([{ detail: 'passed' }])
  })
})
