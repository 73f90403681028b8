import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Move, openRunPlay, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { take } from '../../../test/support/take.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { isVisitOpen, type Visit } from '../../domain/run/visit.ts'

const ISSUE = { severity: 'major', location: 'a.txt', issue: 'too short', suggestion: 'write more' }
const APPROVED: Move = { outcome: 'done', answer: { verdict: 'APPROVED' } }
const REVISE: Move = { outcome: 'done', answer: { verdict: 'NEEDS_REVISION', issues: [ISSUE] } }
const REJECTED: Move = { outcome: 'done', answer: { verdict: 'REJECTED', summary: 'the wrong file' } }

let trial: RunPlay
beforeAll(async () => {
  trial = await openRunPlay()
})
afterAll(() => trial[Symbol.asyncDispose]())

/** A run on a task of a job that reviews everything, or of another job. */
async function started(isOfMode = true): Promise<TestRun> {
  const folder = take(await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, 'reviewed')))
  const reviews = { name: 'reviewed', hash: folder.hash, inputs: {} }
  return await trial.start(folder, {}, isOfMode ? { reviewer: 'two', mode: 'review', reviews } : {})
}

/** Gives what the reviewer answers; everything else succeeds. */
const playerOf =
  (answer: Move) =>
  (visit: Visit): Move => {
    if (visit.stage === 'check') return { outcome: 'pass' }
    return visit.stage === 'review' ? answer : { outcome: 'done' }
  }

async function taskOf({ needs, id }: TestRun) {
  const run = await needs.store.read.runs.find(id)
  const task = run === undefined ? undefined : await needs.store.read.tasks.find(run.taskId)
  if (run === undefined || task === undefined) throw new Error('there is no task')
  return { task, run }
}

describe('a task of a job that reviews everything', () => {
  it('is in review exactly while a reviewer judges its work, and lands at the reviewed commit', async () => {
    const run = await started()
    const seen: string[] = []
    const moves: readonly Move[] = [
      APPROVED,
      { outcome: 'pass' },
      REVISE,
      APPROVED,
      { outcome: 'pass' },
      APPROVED,
    ]
    for (const move of moves) {
      const [open] = (await run.needs.store.read.visits.listOfRun(run.id)).filter(isVisitOpen)
      if (open === undefined) throw new Error('the run has ended')
      seen.push(`${open.stage}: ${(await taskOf(run)).task.state.type}`)
      await run.end(open, move)
    }
    expect(seen).toEqual([
      'implement: running',
      'check: running',
      'review: review',
      'revise: running',
      'check: running',
      'review: review',
    ])
    const { task } = await taskOf(run)
    expect(task).toMatchObject({ state: { type: 'landing' }, rounds: 1, retryCount: 0 })
    const visits = await run.needs.store.read.visits.listOfRun(run.id)
    const [landing] = await run.needs.store.read.landings.listOfTask(task.id)
    expect(landing?.tip).toBe(visits.findLast(({ stage }) => stage === 'revise')?.commit)
  })

  it.each([
    [
      'wants changes after three rounds',
      REVISE,
      'the run of reviewed ended as partial: the reviewer still wants changes after 3 rounds: a.txt: too short',
      'start another run',
    ],
    [
      'rejects the work',
      REJECTED,
      'the run of reviewed ended as partial: the reviewer rejected it: the wrong file',
      'muster recover',
    ],
    [
      'gives no verdict',
      { outcome: 'done', answer: { text: 'APPROVED' } },
      'the run of reviewed ended as unverified: review ended with failed: `verdict` is missing',
      'choose another reviewer',
    ],
  ] as const)('is blocked without a question if the reviewer %s', async (_what, answer, reason, advice) => {
    const run = await started()
    await run.play(playerOf(answer))
    const { task } = await taskOf(run)
    expect(task.state).toMatchObject({
      type: 'blocked',
      reason: expect.stringContaining(reason),
      suggestion: expect.stringContaining(advice),
    })
    const { landings, approvals } = run.needs.store.read
    expect(await landings.listOfTask(task.id)).toEqual([])
    expect(await approvals.list({ jobId: task.jobId, isPending: true }, 10)).toEqual([])
  })
})

it('a person is asked about work that is not approved in a job that follows the playbook otherwise', async () => {
  const run = await started(false)
  await run.play(playerOf(REJECTED))
  expect((await taskOf(run)).run.state).toMatchObject({ type: 'asking', end: 'partial' })
})

it('work that its reviewer did not approve never lands in a job that reviews everything, whatever its playbook says', async () => {
  const folder = take(await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, 'reviewed')))
  const { playbook } = folder
  const lenient = { ...playbook, result: { ...playbook.result, partial: 'land' } as const }
  const run = await trial.start(
    { ...folder, playbook: lenient, hash: 'b'.repeat(64) },
    {},
    { reviewer: 'two' },
  )
  await run.play(playerOf(REJECTED))
  const { task } = await taskOf(run)
  expect(task.state).toMatchObject({
    type: 'blocked',
    reason: expect.stringContaining('no reviewer has approved this work'),
  })
  expect(await run.needs.store.read.landings.listOfTask(task.id)).toEqual([])
})
