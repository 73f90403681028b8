import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleChange } from '../../../../test/support/example-records.ts'
import {
  given,
  type LandingTrial,
  openLandingTrial,
  type TestQueue,
} from '../../../../test/support/landing-trial.ts'
import { prepareProposal } from '../proposal/prepare-proposal.ts'
import { mergeJob } from './merge-job.ts'

let trial: LandingTrial

beforeAll(async () => {
  trial = await openLandingTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

/** A job that started from an uncommitted file and has landed another one. */
async function landedOnSnapshot(): Promise<TestQueue> {
  const queue = await trial.openQueue({ checks: [] })
  const { projectId, workingBranch, baseCommit: head, id } = queue.job
  const { store, commits, branches } = trial.needs
  const snapshot = given(await commits.commitFiles(projectId, head, { 'draft.txt': 'draft\n' }, 'Snapshot'))
  given(await branches.move(projectId, workingBranch, snapshot, head))
  const stored = (await store.read.jobs.find(id)) ?? queue.job
  const plan = { ...stored.plan, snapshot: { head, fileCount: 1, files: ['draft.txt'] } }
  await store.transact((records) =>
    records.jobs.save({ ...stored, baseCommit: snapshot, plan }, exampleChange()),
  )
  await queue.finish({ 'mine.txt': 'mine\n' }, snapshot)
  await queue.settle()
  return queue
}

const filesOn = async ({ job }: TestQueue) =>
  (await trial.repository.git('ls-tree', '--name-only', job.baseBranch)).split('\n')

it('neither merges nor proposes uncommitted changes unless asked', async () => {
  const queue = await landedOnSnapshot()
  const { id, baseBranch } = queue.job
  const refused = { failure: { type: 'uncommitted-included', baseBranch, fileCount: 1 } }
  expect(await mergeJob(trial.needs, id)).toMatchObject(refused)
  expect(await prepareProposal(trial.needs, id)).toMatchObject(refused)
  expect(await filesOn(queue)).toEqual(['a.txt'])

  const proposal = given(await prepareProposal(trial.needs, id, { withUncommitted: true }))
  expect(proposal.commit).toBe(await queue.head())
  given(await mergeJob(trial.needs, id, { withUncommitted: true }))
  expect(await filesOn(queue)).toEqual(['a.txt', 'draft.txt', 'mine.txt'])
})

it('merges once the person has committed the same changes, and more', async () => {
  const queue = await landedOnSnapshot()
  await queue.moveBase('other.txt')
  expect(await mergeJob(trial.needs, queue.job.id)).toMatchObject({ ok: false })
  await queue.moveBase('draft.txt', 'draft')
  expect(given(await mergeJob(trial.needs, queue.job.id)).state).toMatchObject({ type: 'merged' })
  expect(await filesOn(queue)).toEqual(['a.txt', 'draft.txt', 'mine.txt', 'other.txt'])
})

it('keeps refusing if the person committed something else in the same place', async () => {
  const queue = await landedOnSnapshot()
  await queue.moveBase('draft.txt', 'another draft')
  expect(await mergeJob(trial.needs, queue.job.id)).toMatchObject({
    failure: { type: 'uncommitted-included' },
  })
})
