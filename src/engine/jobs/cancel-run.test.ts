import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { settleAll } from '../../../test/support/job-trial.ts'
import { changed, developing, openRunTrial, type RunTrial } from '../../../test/support/run-trial.ts'
import { take } from '../../../test/support/take.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import { cancelJob } from './cancel-job.ts'
import { cancelRun } from './cancel-run.ts'
import { resumeRun } from './resume-run.ts'

const ENDS = { complete: 'end.land', partial: 'end.partial', failed: 'end.failed' }
const STOP = { reason: 'the goal was wrong', isForced: false }
const KILL = { isForced: true }

let trial: RunTrial

beforeAll(async () => {
  trial = await openRunTrial()
  const stages = { implement: developing({ done: 'end.land', failed: 'end.failed' }) }
  await trial.write('inner', { start: 'implement', stages })
  const build = { playbook: 'inner', on: ENDS }
  await trial.write('outer', { start: 'build', stages: { build } })
  const partial = { implement: developing({ done: 'end.partial', failed: 'end.failed' }) }
  await trial.write('asking', { start: 'implement', stages: partial, result: { partial: 'ask' } })
})

afterAll(() => trial[Symbol.asyncDispose]())

/** As if a planner had named the playbook for this task of its job. */
async function asTaskOfPlanner(job: Job): Promise<void> {
  const { approach: _, ...plan } = job.plan
  await trial.jobs.needs.store.transact((records) =>
    records.jobs.save({ ...job, plan: { ...plan, planner: 'pia' } }, exampleChange()),
  )
}

/** A run whose agent is at work. */
async function working(name: string) {
  const { job, run } = await trial.follow(name)
  const child = name === 'outer' ? await trial.child(run.id) : undefined
  if (child !== undefined) await trial.advance(child.id)
  return { job, run, child }
}

async function sessionOf({ id }: Job) {
  const [session] = await trial.jobs.needs.store.read.sessions.listOfJob(id)
  if (session === undefined) throw new Error('no session was opened')
  return session
}

async function taskOf({ taskId }: Run) {
  return await trial.jobs.needs.store.read.tasks.find(taskId)
}

/** The events with which runs of a job ended. */
async function endsOf({ id }: Job) {
  const events = await trial.jobs.eventsOf(id)
  return events
    .filter(({ type }) => type === 'run_ended' || type === 'run_cancelled')
    .map(({ type, data }) => ({ type, data }))
}

const cancelled = ({ id: runId }: Run, playbook: string) => ({
  type: 'run_cancelled',
  data: { runId, playbook, reason: STOP.reason },
})

describe('stopping a run', () => {
  it('cancels the job that does nothing else', async () => {
    const { job, run } = await working('inner')
    expect(await cancelRun(trial.jobs.needs, run.id, STOP)).toMatchObject({
      value: { ended: 'job', programs: 1, job: { state: { type: 'cancelled', reason: STOP.reason } } },
    })
    expect((await trial.run(run.id)).state).toEqual({ type: 'cancelled', reason: STOP.reason })
    expect((await sessionOf(job)).state.type).toBe('terminating')
    expect(await endsOf(job)).toEqual([cancelled(run, 'inner')])
  })

  it('reports the end of every run, whoever cancels it', async () => {
    const { job, run, child } = await working('outer')
    take(await cancelJob(trial.jobs.needs, job.id, STOP.reason))
    expect(await endsOf(job)).toEqual([cancelled(child ?? run, 'inner'), cancelled(run, 'outer')])
  })

  it('withdraws the question of a run that asks about its work', async () => {
    const { job, run } = await trial.follow('asking')
    await trial.settle(run.id, changed('1'))
    expect((await trial.run(run.id)).state.type).toBe('asking')
    await asTaskOfPlanner(job)
    await cancelRun(trial.jobs.needs, run.id, STOP)
    expect(await endsOf(job)).toEqual([cancelled(run, 'asking')])
    const { approvals } = trial.jobs.needs.store.read
    expect(await approvals.list({ jobId: job.id, isPending: true }, 1)).toEqual([])
  })

  it('gives up the task of a planner, and its job goes on', async () => {
    const { job, run } = await working('inner')
    await asTaskOfPlanner(job)
    expect(await cancelRun(trial.jobs.needs, run.id, STOP)).toMatchObject({
      value: { ended: 'task', programs: 1, job: { state: { type: 'running' } } },
    })
    expect(await trial.way(run.id)).toEqual(['implement is cancelled'])
    expect(await taskOf(run)).toMatchObject({
      state: { type: 'blocked', reason: `the run of inner was cancelled: ${STOP.reason}` },
      lastFailure: STOP.reason,
    })
    expect(trial.jobs.sent).toContainEqual({ type: 'job-advance', jobId: job.id })
    expect(await endsOf(job)).toEqual([cancelled(run, 'inner')])
    const events = await trial.jobs.eventsOf(job.id)
    expect(events.at(-1)).toMatchObject({ type: 'task_failed', data: { status: 'blocked' } })
  })

  it('leaves a run that can be resumed in its job', async () => {
    const { job, run } = await working('inner')
    await asTaskOfPlanner(job)
    const { store } = trial.jobs.needs
    const [cycle] = await store.read.cycles.listOf(job.id)
    if (cycle === undefined) throw new Error('there is no cycle')
    await store.transact((records) => records.cycles.save({ ...cycle, phase: 'execution' }, exampleChange()))
    await cancelRun(trial.jobs.needs, run.id, STOP)
    await settleAll(store, job.id)
    expect(await resumeRun(trial.jobs.needs, run.id)).toMatchObject({ ok: true, value: { id: job.id } })
    const runs = await store.read.runs.listOfJob(job.id)
    expect(runs).toMatchObject([{ id: run.id }, { origin: { runId: run.id }, state: { type: 'running' } }])
  })

  it('ends the runs within it', async () => {
    const { job, run, child } = await working('outer')
    await asTaskOfPlanner(job)
    expect(await cancelRun(trial.jobs.needs, run.id, STOP)).toMatchObject({ value: { programs: 1 } })
    expect((await trial.run(child?.id ?? run.id)).state.type).toBe('cancelled')
    expect((await sessionOf(job)).state.type).toBe('terminating')
    expect(await endsOf(job)).toEqual([cancelled(child ?? run, 'inner'), cancelled(run, 'outer')])
  })

  it('within another run fails only the stage that waits for it', async () => {
    const { run, child } = await working('outer')
    const inner = child ?? run
    expect(await cancelRun(trial.jobs.needs, inner.id, STOP)).toMatchObject({ value: { ended: 'stage' } })
    await trial.advance(run.id)
    expect(await trial.way(run.id)).toEqual(['build: failed'])
  })

  it('changes nothing if the run has ended', async () => {
    const { job, run } = await working('inner')
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(run.id, changed('1'))
    const before = await trial.run(run.id)
    expect(await cancelRun(trial.jobs.needs, run.id, STOP)).toMatchObject({
      value: { ended: 'nothing', programs: 0, job: { state: { type: 'running' } } },
    })
    expect(await trial.run(run.id)).toEqual(before)
  })
})

describe('killing a run', () => {
  it('kills the programs that a stop has only asked to exit', async () => {
    const { job, run } = await working('inner')
    expect(await cancelRun(trial.jobs.needs, run.id, STOP)).toMatchObject({ value: { programs: 1 } })
    expect((await sessionOf(job)).state).not.toHaveProperty('isForced')
    expect(await cancelRun(trial.jobs.needs, run.id, KILL)).toMatchObject({
      value: { ended: 'nothing', programs: 1 },
    })
    expect((await sessionOf(job)).state).toMatchObject({ type: 'terminating', isForced: true })
    const { id: sessionId } = await sessionOf(job)
    expect(trial.jobs.sent).toContainEqual({ type: 'session-stop', sessionId, isForced: true })
  })
})
