import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ids } from '../../../../test/support/example-records.ts'
import {
  given,
  type LandingTrial,
  openLandingTrial,
  type TestQueue,
} from '../../../../test/support/landing-trial.ts'
import { prepareProposal, readProposal } from './prepare-proposal.ts'

let trial: LandingTrial

beforeAll(async () => {
  trial = await openLandingTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

async function landed(): Promise<TestQueue> {
  const queue = await trial.openQueue({ checks: [] })
  await queue.finish({ 'mine.txt': 'mine\n' })
  await queue.settle()
  return queue
}

async function addTaskList(queue: TestQueue): Promise<void> {
  const { projectId, workingBranch } = queue.job
  const tip = await queue.head()
  const files = { 'TASKLIST.md': `tasks after ${tip}\n` }
  const made = given(await trial.needs.commits.commitFiles(projectId, tip, files, 'list'))
  given(await trial.needs.branches.move(projectId, workingBranch, made, tip))
}

/** Asks git where a person's git would look. */
function inHub(objectsPath: string, ...words: readonly string[]): string {
  return execFileSync('git', ['--git-dir', dirname(objectsPath), ...words], { encoding: 'utf8' }).trim()
}

it('leaves the task list out, and a later proposal is a fast-forward of an earlier one', async () => {
  const queue = await landed()
  const work = await queue.head()
  await addTaskList(queue)
  const first = given(await prepareProposal(trial.needs, queue.job.id))
  expect(inHub(first.objectsPath, 'ls-tree', '--name-only', first.commit)).not.toContain('TASKLIST.md')
  expect(inHub(first.objectsPath, 'ls-tree', '--name-only', first.commit)).toContain('mine.txt')
  expect(first.warnings).toEqual(['the job is running: only work that has landed so far is included'])
  // The commits after the last landing, which only concern the list, aren't pushed.
  expect(first.commit).toBe(work)
  expect(await trial.repository.git('merge-base', work, queue.job.workingBranch)).toBe(work)
  expect(given(await prepareProposal(trial.needs, queue.job.id)).commit).toBe(first.commit)

  await addTaskList(queue)
  await queue.finish({ 'more.txt': 'more\n' })
  await queue.settle()
  const second = given(await prepareProposal(trial.needs, queue.job.id))
  expect(inHub(second.objectsPath, 'merge-base', first.commit, second.commit)).toBe(first.commit)
  expect(inHub(second.objectsPath, 'ls-tree', '--name-only', second.commit)).toContain('more.txt')
  expect(inHub(second.objectsPath, 'ls-tree', '--name-only', second.commit)).not.toContain('TASKLIST.md')
})

it('includes the task list if asked, and changes nothing when it is only shown', async () => {
  const queue = await landed()
  await addTaskList(queue)
  const head = await queue.head()
  expect(given(await readProposal(trial.needs, queue.job))).toMatchObject({ commit: head, hasTaskList: true })
  expect(await queue.head()).toBe(head)
  expect(given(await prepareProposal(trial.needs, queue.job.id, { withTaskList: true })).commit).toBe(head)
})

it('is refused while nothing has landed, and for a job that does not exist', async () => {
  const { job } = await trial.openQueue()
  expect(await prepareProposal(trial.needs, job.id)).toMatchObject({ failure: { type: 'nothing-landed' } })
  const unknown = await prepareProposal(trial.needs, ids.next('job'))
  expect(unknown).toMatchObject({ failure: { type: 'job-not-found' } })
})
