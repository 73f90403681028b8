import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import {
  given,
  type LandingTrial,
  openLandingTrial,
  type TestQueue,
} from '../../../test/support/landing-trial.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalId } from '../../domain/id.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { endCandidate } from './verdict/end-candidate.ts'

let trial: LandingTrial

beforeAll(async () => {
  trial = await openLandingTrial()
})

beforeEach(() => {
  trial.slots = 1
})

afterAll(() => trial[Symbol.asyncDispose]())

const NO_BUG = 'test ! -e bug.txt'

const statesOf = async (queue: TestQueue) => (await queue.landings()).map(({ state }) => state.type)

const tasksOf = async ({ job }: TestQueue) =>
  (await trial.needs.store.read.tasks.listOfJob(job.id)).map(({ state }) => state.type)

const candidatesOf = ({ job }: TestQueue): Promise<readonly Candidate[]> =>
  trial.needs.store.read.candidates.listOfJob(job.id)

const stateOf = async (queue: TestQueue) => (await candidatesOf(queue)).at(-1)?.state

const has = async (queue: TestQueue, file: string) =>
  (await trial.needs.history.readFile(queue.job.projectId, await queue.head(), file)) !== undefined

/** The commits that the job has put on its branch, newest first. */
async function lineOf({ job, head }: TestQueue): Promise<readonly string[]> {
  const hub = join(trial.needs.settings.hubsDirectory, `${job.projectId}.git`)
  const range = `${job.baseCommit}..${await head()}`
  return (await trial.repository.git(`--git-dir=${hub}`, 'rev-list', '--first-parent', range)).split('\n')
}

describe('the merge queue', () => {
  it('lands a batch that passes as one commit, on exactly the tree that was checked', async () => {
    const queue = await trial.openQueue({ checks: ['test -e one.txt', 'test -e two.txt'] })
    for (const name of ['one', 'two', 'three']) await queue.finish({ [`${name}.txt`]: name })
    await queue.settle()
    const head = await queue.head()
    const tree = await trial.needs.history.treeOf(queue.job.projectId, head)
    for (const { state, checks } of await queue.landings()) {
      expect(state).toEqual({ type: 'landed', commit: head, tree })
      expect(checks.map((check) => [check.passed, check.tree])).toEqual([
        [true, tree],
        [true, tree],
      ])
    }
    expect(await tasksOf(queue)).toEqual(['completed', 'completed', 'completed'])
    expect(await lineOf(queue)).toEqual([head])
    expect(await candidatesOf(queue)).toMatchObject([{ state: { type: 'landed' } }])
  })

  it('halves a failing batch until the broken work is alone', async () => {
    const queue = await trial.openQueue({ checks: [NO_BUG] })
    for (const name of ['one', 'bug', 'two', 'three']) await queue.finish({ [`${name}.txt`]: name })
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'rejected', 'landed', 'landed'])
    expect(await tasksOf(queue)).toEqual(['completed', 'failed', 'completed', 'completed'])
    expect((await queue.landings())[1]?.state).toMatchObject({
      reason: expect.stringContaining(`check "${NO_BUG}"`),
    })
    expect(await has(queue, 'bug.txt')).toBe(false)
    const ends = (await candidatesOf(queue)).map(({ purpose, state }) => [
      purpose.type === 'landings' ? purpose.landingIds.length : 0,
      state.type,
    ])
    expect(ends).toEqual([
      [4, 'dropped'],
      [2, 'dropped'],
      [1, 'landed'],
      [1, 'dropped'],
      [2, 'landed'],
    ])
  })

  it('refuses the second of two landings that pass alone and fail together', async () => {
    trial.slots = 2
    const queue = await trial.openQueue({ checks: ['test ! -e one.txt || test ! -e two.txt'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.finish({ 'two.txt': 'two' })
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'rejected'])
  })

  it('runs a failed check once more in a new tree, and marks it as flaky if it passes', async () => {
    const mark = join(trial.directory, 'flaky')
    const first = 'touch made.txt'
    const flaky = `test -e made.txt && { test -e ${mark} || { touch ${mark}; exit 1; }; }`
    const queue = await trial.openQueue({ checks: [first, flaky] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    const [landing] = await queue.landings()
    expect(landing?.state.type).toBe('landed')
    expect(landing?.checks).toMatchObject([
      { command: first, passed: true },
      { command: flaky, passed: true, isFlaky: true },
    ])
  })

  it('stops the current check of a candidate that ends, even if the caller read an earlier one', async () => {
    const queue = await trial.openQueue({ checks: ['true', 'true'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.advance()
    const [stale] = await candidatesOf(queue)
    await queue.runChecks()
    await queue.advance()
    if (stale === undefined) throw new Error('there is no candidate')
    const { store } = trial.needs
    await store.withJob(queue.job.id, (records, job) =>
      endCandidate(trial.needs, records, job, stale, { type: 'dropped', reason: 'the branch moved' }),
    )
    const checks = await store.read.sessions.listOfJob(queue.job.id)
    expect(checks.map(({ state }) => state.type)).toEqual(['terminated', 'terminating'])
  })

  it('runs a lost check three times in all', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.advance()
    for (const lost of [1, 2]) {
      await queue.runChecks({ type: 'lost', reason: 'the machine went down' })
      await queue.advance()
      expect(await stateOf(queue)).toMatchObject({ type: 'checking', lost, suspects: [] })
    }
    await queue.runChecks({ type: 'lost', reason: 'the machine went down' })
    await queue.advance()
    expect(await statesOf(queue)).toEqual(['rejected'])
  })

  it('refuses work whose check changes the files it checks', async () => {
    const queue = await trial.openQueue({ checks: ['echo more >> one.txt'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    expect((await queue.landings())[0]?.state).toMatchObject({
      type: 'rejected',
      reason: expect.stringContaining('changed tracked files, which a check must not do: one.txt'),
    })
  })

  it('says that the task committed what setup or a check rewrites', async () => {
    const queue = await trial.openQueue({ setup: ['npm ci'], checks: ['echo more >> node_modules/x.js'] })
    await queue.finish({ 'node_modules/x.js': 'x' })
    await queue.settle()
    const [landing] = await queue.landings()
    expect(landing?.state.type).toBe('rejected')
    expect(landing?.checks[0]?.detail.split('\n')).toEqual([
      'proves nothing: this task committed node_modules/x.js, which setup or the check rewrites',
      'What setup or a check creates must not be committed.',
    ])
  })

  it('blames setup or the check for a change to a file that the task did not add', async () => {
    const queue = await trial.openQueue({ setup: ['npm install'], checks: ['echo more >> a.txt'] })
    await queue.finish({ 'a.txt': 'changed', 'one.txt': 'one' })
    await queue.settle()
    const [landing] = await queue.landings()
    expect(landing?.state.type).toBe('rejected')
    const [head, advice = ''] = landing?.checks[0]?.detail.split('\n') ?? []
    expect(head).toBe('proves nothing: setup or the check changed tracked files: a.txt')
    expect(advice).toContain('use "npm ci"')
    expect(advice.length).toBeLessThan(100)
  })

  it('marks work that conflicts with the head, with the paths', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'door.txt': 'red' })
    await queue.finish({ 'door.txt': 'blue' })
    await queue.settle()
    expect((await queue.landings()).map(({ state }) => state)).toMatchObject([
      { type: 'landed' },
      { type: 'conflicted', paths: ['door.txt'] },
    ])
    expect(await tasksOf(queue)).toEqual(['completed', 'blocked'])
  })

  it('marks work that the head already contains as landed, without a commit', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    const head = await queue.head()
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    expect((await queue.landings())[1]).toMatchObject({
      state: { type: 'landed', commit: head, isContained: true },
      checks: [{ passed: true }],
    })
    expect(await queue.head()).toBe(head)
  })

  it('checks again on the new head if the branch moves during a check', async () => {
    trial.slots = 2
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.finish({ 'two.txt': 'two' })
    await queue.advance()
    expect(await candidatesOf(queue)).toHaveLength(2)
    const outside = await queue.moveHead('outside.txt')
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed'])
    expect((await candidatesOf(queue)).slice(0, 2).map(({ state }) => state)).toEqual([
      { type: 'dropped', reason: 'the branch moved' },
      { type: 'dropped', reason: 'the branch moved' },
    ])
    const head = await queue.head()
    expect(await trial.needs.history.isAncestor(queue.job.projectId, outside, head)).toBe(true)
  })

  it.each([
    'landing.after-merge',
    'landing.after-checks',
    'landing.after-ref',
    'landing.before-verdict',
  ] as const)('loses nothing and lands nothing twice if the daemon dies at %s', async (point) => {
    const queue = await trial.openQueue({ checks: [NO_BUG] })
    for (const name of ['one', 'two', 'bug']) await queue.finish({ [`${name}.txt`]: name })
    trial.dieAt(point)
    await expect(queue.settle()).rejects.toThrow(`died at ${point}`)
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed', 'rejected'])
    const commits = (await queue.landings()).flatMap(({ state }) =>
      state.type === 'landed' ? [state.commit] : [],
    )
    expect(new Set(await lineOf(queue))).toEqual(new Set(commits))
  })
})

describe('the merge queue of a cancelled job', () => {
  it('asks git whether the last candidate landed before the end', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'one.txt': 'one' })
    trial.dieAt('landing.after-ref')
    await expect(queue.settle()).rejects.toThrow('died')
    await cancelJob(trial.needs, queue.job.id, 'enough')
    expect(await tasksOf(queue)).toEqual(['landing'])
    await queue.settle()
    expect(await tasksOf(queue)).toEqual(['completed'])
  })

  it('abandons work that has not landed', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'one.txt': 'one' })
    trial.dieAt('landing.after-checks')
    await expect(queue.settle()).rejects.toThrow('died')
    await queue.finish({ 'two.txt': 'two' })
    await cancelJob(trial.needs, queue.job.id, 'enough')
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['rejected', 'rejected'])
    expect(await tasksOf(queue)).toEqual(['skipped', 'skipped'])
    expect(await queue.head()).toBe(queue.job.baseCommit)
  })
})

describe('unusual work in the mode auto', () => {
  const ODD = ['it changes 12,290 files']

  it('waits for a person, who sees why', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'odd.txt': 'odd' }, undefined, ODD)
    await queue.settle()
    const approval = await asked(queue)
    expect(approval.action).toMatchObject({ unusual: ODD, diff: { files: [{ path: 'odd.txt' }] } })
    expect(await queue.head()).toBe(queue.job.baseCommit)
    given(await decideApproval(trial.needs, approval.id, { type: 'approval-allow', by: 'grace' }))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed'])
  })

  it('is rejected if the person denies it', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'odd.txt': 'odd' }, undefined, ODD)
    await queue.settle()
    const denial = { type: 'approval-deny', by: 'grace', reason: 'no packages' } as const
    given(await decideApproval(trial.needs, (await asked(queue)).id, denial))
    await queue.settle()
    expect((await queue.landings())[0]?.state).toMatchObject({ reason: 'denied by grace: no packages' })
  })

  it('is offered all at once, each on its own, and lands as it is allowed', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    for (const name of ['one', 'two', 'three']) {
      await queue.finish({ [`${name}.txt`]: name }, undefined, ODD)
    }
    await queue.settle()
    const [first, second, third] = await pending(queue)
    expect([first?.action, second?.action, third?.action]).toMatchObject([
      { onto: queue.job.baseCommit, diff: { files: [{ path: 'one.txt' }] } },
      { onto: commitOf(first), diff: { files: [{ path: 'two.txt' }] } },
      { onto: commitOf(second), diff: { files: [{ path: 'three.txt' }] } },
    ])
    await allow(second)
    await allow(first)
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed', 'checking'])
    const denial = { type: 'approval-deny', by: 'grace' } as const
    given(await decideApproval(trial.needs, third?.id as ApprovalId, denial))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed', 'rejected'])
    expect(await queue.head()).toBe(commitOf(second))
  })

  it('holds up no ordinary work, whether that comes with it or later', async () => {
    const queue = await trial.openQueue({ checks: ['true'] })
    await queue.finish({ 'odd.txt': 'odd' }, undefined, ODD)
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['checking', 'landed'])
    const first = await asked(queue)
    await queue.finish({ 'two.txt': 'two' })
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['checking', 'landed', 'landed'])
    const second = await asked(queue)
    expect(second.id).not.toBe(first.id)
    expect((await trial.needs.store.read.approvals.find(first.id))?.state.type).toBe('void')
    given(await decideApproval(trial.needs, second.id, { type: 'approval-allow', by: 'grace' }))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed', 'landed'])
  })
})

async function asked(queue: TestQueue) {
  const state = await stateOf(queue)
  if (state?.type !== 'asking') throw new Error(`no one is asked: ${state?.type}`)
  const approval = await trial.needs.store.read.approvals.find(state.approvalId)
  if (approval === undefined) throw new Error('there is no approval')
  return approval
}

async function pending(queue: TestQueue) {
  const filter = { jobId: queue.job.id, isPending: true }
  return (await trial.needs.store.read.approvals.list(filter, 10)).toReversed()
}

function commitOf(approval: Approval | undefined): string | undefined {
  return approval?.action.type === 'landing' ? approval.action.commit : undefined
}

async function allow(approval: Approval | undefined) {
  const id = approval?.id as ApprovalId
  given(await decideApproval(trial.needs, id, { type: 'approval-allow', by: 'grace' }))
}

describe('the mode approve', () => {
  async function openQueue(): Promise<TestQueue> {
    const queue = await trial.openQueue({ checks: ['true'], mode: 'approve' })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    return queue
  }

  async function openTwo(): Promise<TestQueue> {
    const queue = await trial.openQueue({ checks: ['true'], mode: 'approve' })
    await queue.finish({ 'one.txt': 'one' })
    await queue.finish({ 'two.txt': 'two' })
    await queue.settle()
    return queue
  }

  it('lands work after a person has allowed exactly this commit', async () => {
    const queue = await openQueue()
    const approval = await asked(queue)
    expect(approval.action).toMatchObject({
      type: 'landing',
      onto: queue.job.baseCommit,
      diff: { files: [{ path: 'one.txt' }] },
    })
    expect(await queue.head()).toBe(queue.job.baseCommit)
    given(await decideApproval(trial.needs, approval.id, { type: 'approval-allow', by: 'grace' }))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed'])
  })

  it('rejects work that a person denied, with the reason', async () => {
    const queue = await openQueue()
    const denial = { type: 'approval-deny', by: 'grace', reason: 'not like this' } as const
    given(await decideApproval(trial.needs, (await asked(queue)).id, denial))
    await queue.settle()
    expect((await queue.landings())[0]?.state).toEqual({
      type: 'rejected',
      reason: 'denied by grace: not like this',
    })
    const [task] = await trial.needs.store.read.tasks.listOfJob(queue.job.id)
    expect(task?.state).toMatchObject({ type: 'failed', isDenied: true })
  })

  it('offers all finished work at once, and lands it as it is allowed', async () => {
    const queue = await openTwo()
    const [first, second] = await pending(queue)
    expect([first?.action, second?.action]).toMatchObject([
      { onto: queue.job.baseCommit, diff: { files: [{ path: 'one.txt' }] } },
      { onto: commitOf(first), diff: { files: [{ path: 'two.txt' }] } },
    ])
    await allow(second)
    await queue.settle()
    // It builds on the first one, which nobody has decided.
    expect(await queue.head()).toBe(queue.job.baseCommit)
    await allow(first)
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed', 'landed'])
    expect(await queue.head()).toBe(commitOf(second))
  })

  it('asks again for work that was built on denied work', async () => {
    const queue = await openTwo()
    const [first, second] = await pending(queue)
    await allow(second)
    const denial = { type: 'approval-deny', by: 'grace' } as const
    given(await decideApproval(trial.needs, first?.id as ApprovalId, denial))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['rejected', 'checking'])
    const [again, ...others] = await pending(queue)
    expect(others).toEqual([])
    expect(again?.action).toMatchObject({
      onto: queue.job.baseCommit,
      diff: { files: [{ path: 'two.txt' }] },
    })
    await allow(again)
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['rejected', 'landed'])
  })

  it('rejects denied work at once, although the work it builds on is undecided', async () => {
    const queue = await openTwo()
    const [first, second] = await pending(queue)
    const denial = { type: 'approval-deny', by: 'grace' } as const
    given(await decideApproval(trial.needs, second?.id as ApprovalId, denial))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['checking', 'rejected'])
    expect((await pending(queue)).map(({ id }) => id)).toEqual([first?.id])
  })

  it('asks again if the head moves after the answer', async () => {
    const queue = await openQueue()
    const first = await asked(queue)
    given(await decideApproval(trial.needs, first.id, { type: 'approval-allow', by: 'grace' }))
    const outside = await queue.moveHead('outside.txt')
    await queue.settle()
    expect(await queue.head()).toBe(outside)
    const second = await asked(queue)
    expect(second.action).toMatchObject({ onto: outside })
    given(await decideApproval(trial.needs, second.id, { type: 'approval-allow', by: 'grace' }))
    await queue.settle()
    expect(await statesOf(queue)).toEqual(['landed'])
  })

  it('asks once if the daemon dies before the question is stored', async () => {
    const queue = await trial.openQueue({ checks: ['true'], mode: 'approve' })
    await queue.finish({ 'one.txt': 'one' })
    trial.dieAt('landing.before-question')
    await expect(queue.settle()).rejects.toThrow('died')
    await queue.settle()
    const { approvals } = trial.needs.store.read
    expect(await approvals.list({ jobId: queue.job.id }, 10)).toHaveLength(1)
  })
})

describe('a base branch that moves', () => {
  const followed = (queue: TestQueue) =>
    trial.needs.store.transact((records) =>
      records.note({ ...exampleChange(), follow: [{ type: 'base-follow', jobId: queue.job.id }] }),
    )
  const movedBase = async ({ job }: TestQueue) => (await trial.needs.store.read.jobs.find(job.id))?.movedBase

  it('is merged, checked and landed like work', async () => {
    const queue = await trial.openQueue({ checks: [NO_BUG] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    const base = await queue.moveBase('theirs.txt')
    await followed(queue)
    await queue.settle()
    expect((await candidatesOf(queue)).at(-1)).toMatchObject({
      purpose: { type: 'base', commit: base },
      state: { type: 'landed' },
      checks: [{ passed: true }],
    })
    expect([await has(queue, 'theirs.txt'), await has(queue, 'one.txt')]).toEqual([true, true])
  })

  it('is merged again if the working branch moves during its check', async () => {
    const queue = await trial.openQueue({ checks: [NO_BUG] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    await queue.moveBase('theirs.txt')
    await followed(queue)
    await queue.advance()
    await queue.moveHead('outside.txt')
    await queue.settle()
    expect((await candidatesOf(queue)).map(({ purpose, state }) => [purpose.type, state.type])).toEqual([
      ['landings', 'landed'],
      ['base', 'dropped'],
      ['base', 'landed'],
    ])
    expect([await has(queue, 'theirs.txt'), await has(queue, 'outside.txt')]).toEqual([true, true])
  })

  it('is not merged if its check fails or it conflicts, and the job stores why', async () => {
    const queue = await trial.openQueue({ checks: [NO_BUG] })
    await queue.finish({ 'one.txt': 'one' })
    await queue.settle()
    const head = await queue.head()
    const broken = await queue.moveBase('bug.txt')
    await followed(queue)
    await queue.settle()
    expect(await movedBase(queue)).toEqual({ commit: broken, problem: expect.stringContaining(NO_BUG) })
    const conflicting = await queue.moveBase('one.txt', 'other')
    await followed(queue)
    await queue.settle()
    expect(await movedBase(queue)).toEqual({
      commit: conflicting,
      problem: expect.stringContaining('conflicts with the job'),
    })
    expect(await queue.head()).toBe(head)
  })
})
