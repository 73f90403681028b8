import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, ids } from '../../../../test/support/example-records.ts'
import {
  given,
  type LandingTrial,
  openLandingTrial,
  type TestQueue,
} from '../../../../test/support/landing-trial.ts'
import { DETACHED, type JobPlan } from '../../../domain/job/job.ts'
import type { Branches } from '../../../ports/branches.ts'
import { cancelJob } from '../../jobs/cancel-job.ts'
import { isMerge } from './merge.ts'
import { mergeJob } from './merge-job.ts'
import { readMerge } from './read-merge.ts'

let trial: LandingTrial

beforeAll(async () => {
  trial = await openLandingTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

const NO_BUG = 'test ! -e bug.txt'

/** A job that has landed one file. */
async function landed(plan: Partial<JobPlan> = { checks: [NO_BUG] }): Promise<TestQueue> {
  const queue = await trial.openQueue(plan)
  await queue.finish({ 'mine.txt': 'mine\n' })
  await queue.settle()
  return queue
}

const merge = async ({ job }: TestQueue) => given(await mergeJob(trial.needs, job.id))
const stateOf = async ({ job }: TestQueue) => (await readMerge(trial.needs, job)).state
const baseOf = ({ job }: TestQueue) => trial.repository.git('rev-parse', job.baseBranch)
const parentsOf = async (commit: string) =>
  (await trial.repository.git('rev-list', '--parents', '-n1', commit)).split(' ').slice(1)
const mergesOf = async ({ job }: TestQueue) =>
  (await trial.needs.store.read.candidates.listOfJob(job.id)).filter(isMerge)

describe('merging a job', () => {
  it('fast-forwards a base branch that has not moved, once', async () => {
    const queue = await landed()
    const head = await queue.head()
    expect((await merge(queue)).state).toEqual({ type: 'merged', commit: head, hasMoved: true })
    expect(await baseOf(queue)).toBe(head)
    expect((await merge(queue)).state).toEqual({ type: 'merged', commit: head, hasMoved: false })
    expect(await mergesOf(queue)).toEqual([])
  })

  describe('with a task list on the working branch', () => {
    const listed = async (queue: TestQueue, path = 'TASKLIST.md') => {
      const { projectId, workingBranch } = queue.job
      const tip = await queue.head()
      const made = given(await trial.needs.commits.commitFiles(projectId, tip, { [path]: 'tasks\n' }, 'list'))
      given(await trial.needs.branches.move(projectId, workingBranch, made, tip))
    }
    const filesOn = async ({ job }: TestQueue) =>
      (await trial.repository.git('ls-tree', '--name-only', job.baseBranch)).split('\n')

    it('leaves the list out, even if the job continued after a merge', async () => {
      const queue = await landed()
      await listed(queue)
      expect((await merge(queue)).state).toMatchObject({ type: 'merged', hasMoved: true })
      expect(await filesOn(queue)).toContain('mine.txt')
      expect(await filesOn(queue)).not.toContain('TASKLIST.md')
      await listed(queue)
      await queue.finish({ 'more.txt': 'more\n' })
      await queue.settle()
      await queue.moveBase('theirs.txt')
      await merge(queue)
      await queue.settle()
      expect(await filesOn(queue)).toEqual(expect.arrayContaining(['mine.txt', 'more.txt', 'theirs.txt']))
      expect(await filesOn(queue)).not.toContain('TASKLIST.md')
    })

    const historyOf = async ({ job }: TestQueue) =>
      (await trial.repository.git('log', '--format=%s', job.baseBranch)).split('\n')

    it('leaves out the commits after the last landing, which only concern the list', async () => {
      const queue = await landed()
      const work = await queue.head()
      await listed(queue)
      expect((await merge(queue)).state).toEqual({ type: 'merged', commit: work, hasMoved: true })
      expect(await baseOf(queue)).toBe(work)
      expect((await merge(queue)).state).toMatchObject({ type: 'merged', hasMoved: false })
      expect(await stateOf(queue)).toMatchObject({ type: 'merged', commit: work })
    })

    it('leaves them out of a merge with a base that has moved and is checked out', async () => {
      const queue = await landed()
      const work = await queue.head()
      await listed(queue)
      const base = await queue.moveBase('theirs.txt')
      const checkout = join(trial.directory, 'listed-checkout')
      await trial.repository.git('worktree', 'add', '-q', checkout, queue.job.baseBranch)
      await merge(queue)
      await queue.settle()
      const state = await stateOf(queue)
      const commit = state.type === 'waiting' ? state.commit : ''
      expect(await parentsOf(commit)).toEqual([base, work])
      await trial.repository.git('-C', checkout, 'merge', '-q', '--ff-only', commit)
      expect(await historyOf(queue)).not.toContain('list')
      expect((await merge(queue)).state).toMatchObject({ type: 'merged', hasMoved: false })
    })

    it('squashes everything into one commit that builds on the base, once', async () => {
      const queue = await landed()
      await listed(queue)
      await queue.finish({ 'more.txt': 'more\n' })
      await queue.settle()
      await listed(queue, 'TASKLIST.md')
      const base = await baseOf(queue)
      const { state } = given(await mergeJob(trial.needs, queue.job.id, { squash: true }))
      const commit = await baseOf(queue)
      expect(state).toEqual({ type: 'merged', commit, hasMoved: true })
      expect(await parentsOf(commit)).toEqual([base])
      expect(await filesOn(queue)).toEqual(expect.arrayContaining(['mine.txt', 'more.txt']))
      expect(await filesOn(queue)).not.toContain('TASKLIST.md')
      const message = await trial.repository.git('log', '-1', '--format=%B', commit)
      expect(message).toContain(`Muster-Job: ${queue.job.id}`)
      expect(message).toMatch(/^- t1-1 .*\n- t1-2 /m)
      const again = given(await mergeJob(trial.needs, queue.job.id, { squash: true }))
      expect(again.state).toMatchObject({ type: 'merged', commit, hasMoved: false })
      expect(await stateOf(queue)).toMatchObject({ type: 'merged', commit })
    })

    it('squashes onto a base that has moved, and later work onto the squash', async () => {
      const queue = await landed()
      await listed(queue)
      const base = await queue.moveBase('theirs.txt')
      given(await mergeJob(trial.needs, queue.job.id, { squash: true }))
      await queue.settle()
      const first = await baseOf(queue)
      expect(await parentsOf(first)).toEqual([base])
      // The same lines again: without the squash in its history, this would conflict.
      await queue.finish({ 'mine.txt': 'mine and more\n' }, await queue.head())
      await queue.settle()
      given(await mergeJob(trial.needs, queue.job.id, { squash: true }))
      await queue.settle()
      const second = await baseOf(queue)
      expect(await parentsOf(second)).toEqual([first])
      expect(await trial.repository.git('show', `${second}:mine.txt`)).toBe('mine and more')
    })

    it('gives a checked-out base branch its squash through the working branch', async () => {
      const queue = await landed()
      await listed(queue)
      const base = await baseOf(queue)
      const checkout = join(trial.directory, 'squash-checkout')
      await trial.repository.git('worktree', 'add', '-q', checkout, queue.job.baseBranch)
      const { state } = given(await mergeJob(trial.needs, queue.job.id, { squash: true }))
      const commit = state.type === 'waiting' ? state.commit : ''
      await trial.repository.git('-C', checkout, 'merge', '-q', '--ff-only', commit)
      expect(await parentsOf(await baseOf(queue))).toEqual([base])
      expect((await merge(queue)).state).toMatchObject({ type: 'merged', hasMoved: false })
    })

    it("keeps the person's own file of that name as it is in the base branch", async () => {
      const queue = await landed()
      await queue.moveBase('TASKLIST.md', 'my own')
      await listed(queue)
      await merge(queue)
      await queue.settle()
      expect(await trial.repository.git('show', `${queue.job.baseBranch}:TASKLIST.md`)).toBe('my own')
    })

    it('leaves the working branch as it is if there is nothing to merge', async () => {
      const queue = await landed()
      await listed(queue)
      const head = await queue.head()
      await queue.moveBase('mine.txt', 'mine')
      expect((await merge(queue)).state).toMatchObject({ type: 'merged', hasMoved: false })
      expect(await queue.head()).toBe(head)
    })

    it('leaves the working branch as it is if the merge conflicts', async () => {
      const queue = await landed()
      await listed(queue)
      const head = await queue.head()
      await queue.moveBase('mine.txt', 'theirs')
      expect(await mergeJob(trial.needs, queue.job.id)).toMatchObject({ failure: { type: 'merge-conflict' } })
      expect(await queue.head()).toBe(head)
    })

    it('merges the list if asked', async () => {
      const queue = await landed()
      await listed(queue)
      given(await mergeJob(trial.needs, queue.job.id, { withTaskList: true }))
      expect(await filesOn(queue)).toContain('TASKLIST.md')
    })

    it("merges an agent's file of that name if Muster writes no list", async () => {
      const queue = await landed()
      await trial.needs.store.withJob(queue.job.id, (records, job) =>
        records.jobs.save({ ...job, plan: { ...job.plan, taskList: 'none' } }, exampleChange()),
      )
      await listed(queue)
      await merge(queue)
      expect(await filesOn(queue)).toContain('TASKLIST.md')
    })
  })

  it('is refused while nothing has landed, and for a job that does not exist', async () => {
    const { job } = await trial.openQueue()
    expect(await mergeJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'nothing-landed' } })
    const unknown = ids.next('job')
    expect(await mergeJob(trial.needs, unknown)).toMatchObject({ failure: { type: 'job-not-found' } })
  })

  it('is refused for a job that started from a detached HEAD, with the branch that has the work', async () => {
    const { job } = await landed()
    const stored = (await trial.needs.store.read.jobs.find(job.id)) ?? job
    const detached = { ...stored, baseBranch: DETACHED }
    await trial.needs.store.transact((records) => records.jobs.save(detached, exampleChange()))
    expect(await mergeJob(trial.needs, job.id)).toEqual({
      ok: false,
      failure: { type: 'base-detached', jobId: job.id, workingBranch: job.workingBranch },
    })
  })

  it('checks a merge with a base that has moved before it moves the branch', async () => {
    const queue = await landed()
    const base = await queue.moveBase('theirs.txt')
    expect((await merge(queue)).state).toMatchObject({ type: 'checking' })
    // A second request continues the same merge, and the end of the job does not end it.
    await merge(queue)
    await cancelJob(trial.needs, queue.job.id, 'enough')
    expect(await mergesOf(queue)).toHaveLength(1)
    expect(await baseOf(queue)).toBe(base)
    await queue.settle()
    const commit = await baseOf(queue)
    expect(await stateOf(queue)).toMatchObject({ type: 'merged', commit })
    expect(await parentsOf(commit)).toEqual([base, await queue.head()])
    expect(await mergesOf(queue)).toMatchObject([{ state: { type: 'landed' }, checks: [{ passed: true }] }])
  })

  it('refuses a merge whose check fails, and starts a new one when asked again', async () => {
    const queue = await landed()
    const base = await queue.moveBase('bug.txt')
    await merge(queue)
    await queue.settle()
    expect(await stateOf(queue)).toMatchObject({ type: 'refused', reason: expect.stringContaining(NO_BUG) })
    expect(await baseOf(queue)).toBe(base)
    await merge(queue)
    expect((await mergesOf(queue)).map(({ purpose, state }) => [purpose.tries, state.type])).toEqual([
      [1, 'dropped'],
      [1, 'checking'],
    ])
  })

  it('refuses a merge that conflicts, with the paths', async () => {
    const queue = await landed()
    const base = await queue.moveBase('mine.txt')
    expect(await mergeJob(trial.needs, queue.job.id)).toMatchObject({
      failure: { type: 'merge-conflict', paths: ['mine.txt'] },
    })
    expect(await baseOf(queue)).toBe(base)
  })

  it('is refused when the base branch is gone', async () => {
    const queue = await landed()
    await trial.repository.git('branch', '-D', queue.job.baseBranch)
    expect(await mergeJob(trial.needs, queue.job.id)).toMatchObject({ failure: { type: 'base-missing' } })
    expect(await stateOf(queue)).toEqual({ type: 'none' })
  })

  it('warns if nothing was checked or the job is still running', async () => {
    const queue = await landed({ checks: [] })
    await queue.moveBase('theirs.txt')
    expect(await merge(queue)).toMatchObject({
      state: { type: 'merged', hasMoved: true, candidate: { state: { type: 'landed' } } },
      warnings: [
        'the job is running: only work that has landed so far is merged',
        'no checks are configured: nothing was checked',
      ],
    })
  })

  it('leaves a checked-out base branch alone, and moves the working branch to the merge', async () => {
    const queue = await landed()
    const base = await queue.moveBase('theirs.txt')
    const checkout = join(trial.directory, 'checkout')
    await trial.repository.git('worktree', 'add', '-q', checkout, queue.job.baseBranch)
    await merge(queue)
    await queue.settle()
    const head = await queue.head()
    expect(await stateOf(queue)).toMatchObject({ type: 'waiting', commit: head })
    expect(await baseOf(queue)).toBe(base)
    expect(await trial.repository.git('rev-parse', queue.job.workingBranch)).toBe(head)
    await trial.repository.git('-C', checkout, 'merge', '-q', '--ff-only', queue.job.workingBranch)
    expect((await merge(queue)).state).toMatchObject({ type: 'merged', commit: head, hasMoved: false })
  })
})

describe('a merge whose branch moves during the check', () => {
  it('is built and checked again', async () => {
    const queue = await landed()
    await queue.moveBase('theirs.txt')
    await merge(queue)
    const base = await queue.moveBase('later.txt')
    await queue.settle()
    expect(await stateOf(queue)).toMatchObject({ type: 'merged', commit: await baseOf(queue) })
    expect(await parentsOf(await baseOf(queue))).toEqual([base, await queue.head()])
    expect((await mergesOf(queue)).map(({ purpose, state }) => [purpose.tries, state.type])).toEqual([
      [1, 'dropped'],
      [2, 'landed'],
    ])
  })

  it('is refused after three tries, and the next merge has three tries again', async () => {
    const queue = await landed({ checks: [] })
    let moves = 0
    const moveBase = () => queue.moveBase(`move-${++moves}.txt`)
    await moveBase()
    const deliver: Branches['deliver'] = async (...words) => {
      if (moves < 4) await moveBase()
      return trial.needs.branches.deliver(...words)
    }
    const unsteady = { ...trial.needs, branches: { ...trial.needs.branches, deliver } }
    expect(given(await mergeJob(unsteady, queue.job.id)).state).toMatchObject({
      type: 'refused',
      reason: expect.stringContaining('a branch moved while the merge was being checked, 3 times in a row'),
    })
    expect(given(await mergeJob(unsteady, queue.job.id)).state).toMatchObject({
      type: 'merged',
      hasMoved: true,
    })
    expect((await mergesOf(queue)).map(({ purpose, state }) => [purpose.tries, state.type])).toEqual([
      [1, 'dropped'],
      [2, 'dropped'],
      [3, 'dropped'],
      [1, 'landed'],
    ])
    expect(await stateOf(queue)).toMatchObject({ type: 'merged', hasMoved: false })
  })

  it('is made once if the daemon dies after the branch has moved', async () => {
    const queue = await landed()
    await queue.moveBase('theirs.txt')
    await merge(queue)
    trial.dieAt('merge.after-delivery')
    await expect(queue.settle()).rejects.toThrow('died at merge.after-delivery')
    const commit = await baseOf(queue)
    await queue.settle()
    expect(await stateOf(queue)).toMatchObject({ type: 'merged', commit })
    expect(await baseOf(queue)).toBe(commit)
    expect(await mergesOf(queue)).toMatchObject([{ state: { type: 'landed' } }])
  })
})
