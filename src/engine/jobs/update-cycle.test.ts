import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import { advanceJob } from './advance-job.ts'
import { updateCycle } from './update-cycle.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

it('stores the summary of a cycle, commits its task list, and appends learnings to the goal, once', async () => {
  const { needs } = trial
  trial.configuration = { ...trial.configuration, learnings: true }
  const job = await trial.start({ initialTaskList: 'dig first' })
  await advanceJob(needs, job.id)
  await settleAll(needs.store, job.id)
  const executing = await planTasks(needs.store, job, [
    { description: 'Dig', state: { type: 'completed', commit: 'd'.repeat(40) }, startedAt: trial.now },
    { description: 'Plant', state: { type: 'failed', reason: 'no seed', suggestion: 'buy seed' } },
  ])
  const learnings = 'the soil is dry\nthe soil is dry\n- water it'
  const cycle = await needs.store.transact((records) =>
    records.cycles.save({ ...executing, phase: 'update', learnings }, exampleChange()),
  )
  for (const _ of [1, 2]) await updateCycle(needs, cycle.id)
  expect(await needs.store.read.cycles.find(cycle.id)).toMatchObject({
    phase: 'done',
    tasksLaunched: 1,
    tasksCompleted: 1,
    tasksFailed: 1,
    blockers: [],
    summary: expect.stringMatching(/^1 of 2 tasks landed \(50%\), 1 failed\n- t1-1 Dig: landed/),
    learnings: 'the soil is dry\nwater it',
  })
  const tip = await needs.branches.tip(job.projectId, job.workingBranch)
  const list = await needs.history.readFile(job.projectId, tip ?? '', 'TASKLIST.md')
  expect(list).toBe((await trial.job(job.id)).taskList)
  expect(list).toContain('> dig first')
  expect(list).toContain('1 of 2 tasks landed (50%), 1 failed')
  expect(list).toContain('  - suggestion: buy seed')
  // Nothing landed, so the person's repository gets no branch.
  expect(await needs.branches.tipIn(job.repositoryPath, job.workingBranch)).toBeUndefined()
  await advanceJob(needs, job.id)
  expect((await trial.job(job.id)).requestDocument).toBe(
    'Grow a tree\n\n## Learnings\n\n- the soil is dry\n- water it\n',
  )
  const versions = await needs.store.read.documents.listOf(job.id, 'goal')
  expect(versions.map(({ author, cycle: by }) => [author, by])).toEqual([
    ['person', 1],
    ['engine', 2],
  ])
  const ended = (await trial.eventsOf(job.id)).filter(({ type }) => type === 'cycle_completed')
  expect(ended).toHaveLength(1)
})

it('ends a cycle without a commit if a folder has the name of the task list', async () => {
  const { needs } = trial
  const job = await trial.start({ initialTaskList: 'dig first' })
  await advanceJob(needs, job.id)
  await settleAll(needs.store, job.id)
  const { projectId, workingBranch } = job
  const before = await needs.branches.tip(projectId, workingBranch)
  const folder = await needs.commits.commitFiles(
    projectId,
    before ?? '',
    { 'TASKLIST.md/kept': 'k' },
    'folder',
  )
  if (!folder.ok) throw new Error(JSON.stringify(folder.failure))
  await needs.branches.move(projectId, workingBranch, folder.value, before)
  const executing = await planTasks(needs.store, job, [
    { description: 'Dig', state: { type: 'failed', reason: 'no spade' } },
  ])
  const cycle = await needs.store.transact((records) =>
    records.cycles.save({ ...executing, phase: 'update' }, exampleChange()),
  )
  await updateCycle(needs, cycle.id)
  expect(await needs.store.read.cycles.find(cycle.id)).toMatchObject({ phase: 'done' })
  expect(await needs.branches.tip(projectId, workingBranch)).toBe(folder.value)
  expect((await trial.job(job.id)).taskList).toContain('Dig')
})

it('keeps the task list off the branch if the configuration says so', async () => {
  const { needs } = trial
  const job = await trial.start({ initialTaskList: 'dig first' })
  await advanceJob(needs, job.id)
  await settleAll(needs.store, job.id)
  await needs.store.withJob(job.id, (records, current) =>
    records.jobs.save({ ...current, plan: { ...current.plan, taskList: 'none' } }, exampleChange()),
  )
  const { projectId, workingBranch } = job
  const before = await needs.branches.tip(projectId, workingBranch)
  const executing = await planTasks(needs.store, job, [
    { description: 'Dig', state: { type: 'failed', reason: 'no spade' } },
  ])
  const cycle = await needs.store.transact((records) =>
    records.cycles.save({ ...executing, phase: 'update' }, exampleChange()),
  )
  await updateCycle(needs, cycle.id)
  expect(await needs.branches.tip(projectId, workingBranch)).toBe(before)
  expect(await needs.branches.tipIn(job.repositoryPath, workingBranch)).toBeUndefined()
  expect((await trial.job(job.id)).taskList).toContain('Dig')
})
