import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, settleAll } from '../../../test/support/job-trial.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { Job } from '../../domain/job/job.ts'
import { advanceJob } from './advance-job.ts'
import { cancelJob } from './cancel-job.ts'
import { pauseJob } from './control-job.ts'
import { endJob } from './end-job.ts'
import { appendLearnings, editDocument } from './job-documents.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

/** A job whose first cycle has started. */
async function begun(request: Parameters<JobTrial['start']>[0] = {}): Promise<Job> {
  const job = await trial.start(request)
  await advanceJob(trial.needs, job.id)
  return trial.job(job.id)
}

/** Ends the running sessions and the newest cycle. */
async function endCycle(job: Job, fields: Partial<Cycle> = {}): Promise<void> {
  const { store } = trial.needs
  await settleAll(store, job.id)
  const cycle = (await store.read.cycles.listOf(job.id)).at(-1)
  if (cycle === undefined) throw new Error('there is no cycle')
  await store.transact((records) =>
    records.cycles.save({ ...cycle, phase: 'done', tasksCompleted: 1, ...fields }, exampleChange()),
  )
}

const edit = (job: Job, kind: 'goal' | 'task-list', text: string) =>
  editDocument(trial.needs, job.id, kind, text)

async function versions(job: Job, kind: 'goal' | 'task-list') {
  const documents = await trial.needs.store.read.documents.listOf(job.id, kind)
  return documents.map(({ number, text, author, cycle }) => ({ number, text, author, cycle }))
}

describe('the documents of a job', () => {
  it('have a first version, which the first cycle applies', async () => {
    const job = await trial.start({ initialTaskList: 'dig first' })
    expect(await trial.job(job.id)).toMatchObject({
      userId: 'grace',
      requestedTasks: 'dig first',
      taskList: '',
    })
    await advanceJob(trial.needs, job.id)
    expect(await versions(job, 'goal')).toEqual([
      { number: 1, text: 'Grow a tree', author: 'person', cycle: 1 },
    ])
    expect(await versions(job, 'task-list')).toEqual([
      { number: 1, text: 'dig first', author: 'person', cycle: 1 },
    ])
    const types = (await trial.eventsOf(job.id)).map(({ type }) => type)
    expect(types[0]).toBe('job_started')
    expect(types).not.toContain('document_edited')
    expect(types.filter((type) => type === 'document_applied')).toHaveLength(2)
  })

  it('get no new version if the text stays the same', async () => {
    const job = await begun()
    expect((await edit(job, 'goal', 'Grow a tree')).ok).toBe(true)
    expect((await edit(job, 'task-list', '')).ok).toBe(true)
    expect(await versions(job, 'goal')).toHaveLength(1)
    expect(await versions(job, 'task-list')).toEqual([])
    await edit(job, 'goal', 'Grow two')
    await edit(job, 'goal', 'Grow two')
    expect(await versions(job, 'goal')).toHaveLength(2)
  })

  it('wait after an edit for the next cycle, which applies the newest version', async () => {
    const job = await begun()
    expect((await edit(job, 'goal', 'Grow two')).ok).toBe(true)
    expect((await edit(job, 'goal', 'Grow three')).ok).toBe(true)
    expect((await edit(job, 'task-list', 'dig')).ok).toBe(true)
    expect(await trial.job(job.id)).toMatchObject({ requestDocument: 'Grow a tree', requestedTasks: '' })
    await endCycle(job)
    await advanceJob(trial.needs, job.id)
    expect(await trial.job(job.id)).toMatchObject({
      requestDocument: 'Grow three',
      requestedTasks: 'dig',
      currentCycle: 2,
    })
    expect((await versions(job, 'goal')).map(({ cycle }) => cycle)).toEqual([1, 2, 2])
    const taken = (await trial.eventsOf(job.id)).filter(({ type }) => type === 'document_applied')
    expect(taken.map(({ data }) => data)).toEqual([
      { kind: 'goal', number: 1, cycle: 1 },
      { kind: 'goal', number: 3, cycle: 2 },
      { kind: 'task-list', number: 1, cycle: 2 },
    ])
  })

  it('can be edited while the job is pending or paused, but not after it has ended', async () => {
    const pending = await trial.start({ autoStart: false })
    expect((await edit(pending, 'goal', 'Grow two')).ok).toBe(true)
    const job = await begun()
    await settleAll(trial.needs.store, job.id)
    await pauseJob(trial.needs, job.id)
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state.type).toBe('paused')
    expect((await edit(job, 'task-list', '')).ok).toBe(true)
    await cancelJob(trial.needs, job.id, 'enough')
    expect(await edit(job, 'goal', 'Grow two')).toMatchObject({
      ok: false,
      failure: { type: 'illegal-transition', from: 'cancelled', event: 'document-edit' },
    })
  })

  it('are refused if they are empty or too large', async () => {
    const job = await trial.start({ autoStart: false })
    expect(await edit(job, 'goal', ' \n')).toMatchObject({ failure: { type: 'goal-empty' } })
    const large = 'ä'.repeat(750_001)
    expect(await edit(job, 'goal', large)).toMatchObject({
      failure: { type: 'goal-too-large', bytes: 1_500_002 },
    })
    expect(await edit(job, 'task-list', large)).toMatchObject({ failure: { type: 'task-list-too-large' } })
    expect(await versions(job, 'goal')).toHaveLength(1)
  })

  it('keep a job running until it has applied them', async () => {
    const { needs } = trial
    const job = await begun()
    await edit(job, 'goal', 'Grow two')
    await endCycle(job)
    const end = { reason: 'goal-reached', evidence: ['a tree'] } as const
    await needs.store.withJob(job.id, (records, locked) => endJob(needs, records, locked, end))
    expect((await trial.job(job.id)).state.type).toBe('running')
    await advanceJob(needs, job.id)
    expect(await trial.job(job.id)).toMatchObject({ currentCycle: 2, requestDocument: 'Grow two' })
    await endCycle(job)
    await needs.store.withJob(job.id, (records, locked) => endJob(needs, records, locked, end))
    expect((await trial.job(job.id)).state).toEqual({ type: 'completed', ...end })
  })

  it('do not keep a job running beyond its limits', async () => {
    const { needs } = trial
    const job = await begun({ maxCycles: 1 })
    await edit(job, 'goal', 'Grow two')
    await endCycle(job)
    const end = { reason: 'nothing-left', evidence: [] } as const
    await needs.store.withJob(job.id, (records, locked) => endJob(needs, records, locked, end))
    expect((await trial.job(job.id)).state).toEqual({ type: 'completed', ...end })
  })
})

describe('learnings', () => {
  it('are appended to the goal if that is allowed, but do not keep the job running', async () => {
    const { needs } = trial
    trial.configuration = { ...trial.configuration, learnings: true }
    const job = await begun()
    trial.configuration = { ...trial.configuration, learnings: false }
    const append = () =>
      needs.store.withJob(job.id, (records, locked) =>
        appendLearnings(needs, records, locked, ['the soil is dry']),
      )
    await append()
    const text = 'Grow a tree\n\n## Learnings\n\n- the soil is dry\n'
    expect((await versions(job, 'goal')).at(-1)).toEqual({
      number: 2,
      text,
      author: 'engine',
      cycle: undefined,
    })
    await append()
    expect(await versions(job, 'goal')).toHaveLength(2)
    await endCycle(job)
    await needs.store.withJob(job.id, (records, locked) =>
      endJob(needs, records, locked, { reason: 'goal-reached', evidence: [] }),
    )
    expect((await trial.job(job.id)).state.type).toBe('completed')
  })

  it("are appended to a person's newer edit, which still keeps the job running", async () => {
    const { needs } = trial
    trial.configuration = { ...trial.configuration, learnings: true }
    const job = await begun()
    trial.configuration = { ...trial.configuration, learnings: false }
    await edit(job, 'goal', 'Grow two')
    await needs.store.withJob(job.id, (records, locked) =>
      appendLearnings(needs, records, locked, ['the soil is dry']),
    )
    await endCycle(job)
    await needs.store.withJob(job.id, (records, locked) =>
      endJob(needs, records, locked, { reason: 'goal-reached', evidence: [] }),
    )
    await advanceJob(needs, job.id)
    expect(await trial.job(job.id)).toMatchObject({
      currentCycle: 2,
      requestDocument: 'Grow two\n\n## Learnings\n\n- the soil is dry\n',
    })
  })
})
