import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleAll } from '../../../test/support/job-trial.ts'
import { changed, developing, openRunTrial, type RunTrial } from '../../../test/support/run-trial.ts'
import { take } from '../../../test/support/take.ts'
import type { Job } from '../../domain/job/job.ts'
import { degradationLine } from '../../domain/run/degradation.ts'
import type { Run } from '../../domain/run/run.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { cancelRun } from '../jobs/cancel-run.ts'
import { forkRun } from '../jobs/fork-run.ts'
import { resumeRun } from '../jobs/resume-run.ts'
import { startJob } from '../jobs/start-job.ts'
import { runTrailers } from '../landing/candidate/run-trailers.ts'
import { listRuns, showRun } from '../queries/runs.ts'

const ENDS = { complete: 'end.land', partial: 'end.partial', failed: 'end.failed' }
const limits = { minutes: 60, parallel: 1 }

let trial: RunTrial

beforeAll(async () => {
  trial = await openRunTrial()
  await trial.write('inner', {
    inputs: { tone: { type: 'text', default: 'plain' } },
    limits: { minutes: 10, parallel: 1 },
    start: 'implement',
    stages: { implement: developing({ done: 'end.land', failed: 'end.failed' }) },
    result: { documents: ['implement'], partial: 'keep' },
  })
  await trial.write('outer', {
    limits,
    start: 'draft',
    stages: {
      draft: developing({ done: 'build', failed: 'end.failed' }),
      build: {
        playbook: 'inner',
        inputs: { goal: 'draft.summary', tone: 'goal' },
        on: { ...ENDS, complete: 'polish' },
      },
      polish: { ...developing({ done: 'end.land', failed: 'end.partial' }), sees: ['goal', 'build'] },
    },
    result: { partial: 'ask' },
  })
  await trial.write('asker', {
    limits,
    start: 'implement',
    stages: {
      implement: developing({ done: 'ask', failed: 'end.failed' }),
      ask: {
        gate: { ask: 'Good?', hours: 1 },
        on: { allowed: 'end.land', denied: 'end.partial', expired: 'end.partial' },
      },
    },
  })
  for (const partial of ['keep', 'ask']) {
    await trial.write(`unpolished-${partial}`, {
      limits,
      start: 'implement',
      stages: {
        implement: developing({ done: 'polish', failed: 'end.failed' }),
        polish: developing({ done: 'end.land', failed: 'end.partial' }),
      },
      result: { documents: ['implement'], partial },
    })
    await trial.write(`outer-${partial}`, {
      limits,
      start: 'build',
      stages: { build: { playbook: `unpolished-${partial}`, on: { ...ENDS, partial: 'end.land' } } },
    })
  }
  await trial.write('undocumented', {
    limits,
    start: 'implement',
    stages: {
      implement: developing({ done: 'document', failed: 'end.failed' }),
      document: developing({ done: 'end.land', failed: 'end.land' }),
    },
  })
  await trial.write('outer-undocumented', {
    limits,
    start: 'build',
    stages: {
      build: { playbook: 'undocumented', on: { ...ENDS, complete: 'polish' } },
      polish: developing({ done: 'end.land', failed: 'end.failed' }),
    },
  })
  await trial.write('outermost', {
    limits,
    start: 'build',
    stages: { build: { playbook: 'outer-ask', on: ENDS } },
  })
  for (const denied of ['end.done', 'end.partial']) {
    const name = `sign-${denied.slice(4)}`
    const sign = { gate: { ask: 'Good?', hours: 1 }, on: { allowed: 'end.done', denied, expired: denied } }
    await trial.write(name, { limits, roles: {}, start: 'sign', stages: { sign } })
    await trial.write(`outer-${name}`, {
      limits,
      start: 'implement',
      stages: {
        implement: developing({ done: 'signed', failed: 'end.failed' }),
        signed: { playbook: name, on: { ...ENDS, partial: 'end.land' } },
      },
    })
  }
  await trial.write('prepared', {
    limits,
    start: 'prep',
    stages: {
      prep: developing({ done: 'sign', failed: 'end.partial' }),
      sign: {
        gate: { ask: 'Good?', hours: 1 },
        on: { allowed: 'end.land', denied: 'end.partial', expired: 'end.partial' },
      },
    },
    result: { partial: 'keep' },
  })
  await trial.write('outer-prepared', {
    limits,
    start: 'implement',
    stages: {
      implement: developing({ done: 'sub', failed: 'end.failed' }),
      sub: { playbook: 'prepared', on: { ...ENDS, partial: 'end.land' } },
    },
  })
  await trial.write('outer-gate', {
    limits,
    start: 'build',
    stages: { build: { playbook: 'asker', on: { ...ENDS, partial: 'end.land' } } },
  })
})

afterAll(() => trial[Symbol.asyncDispose]())

const degradationOf = async ({ id }: Run) => {
  const view = take(await showRun(trial.jobs.needs, id))
  return view.degradation === undefined ? undefined : degradationLine(view.degradation)
}

async function decide({ id }: Job, type: 'approval-allow' | 'approval-deny'): Promise<void> {
  const { needs } = trial.jobs
  const [question] = await needs.store.read.approvals.list({ jobId: id, isPending: true }, 10)
  if (question === undefined) throw new Error('nobody is asked')
  await decideApproval({ ...needs, adoptSession: () => undefined }, question.id, { type, by: 'grace' })
}

/** A job whose run has a draft and waits for the run of another playbook. */
async function waiting() {
  const { job, run } = await trial.follow('outer')
  await settleAll(trial.jobs.needs.store, job.id)
  await trial.settle(run.id, changed('1'))
  const child = await trial.child(run.id)
  expect(trial.jobs.sent).toContainEqual({ type: 'run-advance', runId: child.id })
  await trial.advance(child.id)
  return { job, run, child }
}

describe('a run within another one', () => {
  it('ends with the runs within it and their programs when a person stops it', async () => {
    const { job, run } = await trial.follow('outermost')
    const middle = await trial.child(run.id)
    await trial.advance(middle.id)
    const inner = await trial.child(middle.id)
    await trial.advance(inner.id)
    expect(await trial.way(inner.id)).toEqual(['implement is working'])
    const stopped = await cancelRun(trial.jobs.needs, middle.id, { reason: 'wrong', isForced: false })
    expect(stopped).toMatchObject({ ok: true, value: { ended: 'stage', programs: 1 } })
    expect((await trial.run(inner.id)).state).toEqual({ type: 'cancelled', reason: 'wrong' })
    expect(await trial.way(inner.id)).toEqual(['implement is cancelled'])
    const live = await trial.jobs.needs.store.read.sessions.listLive(job.id)
    expect(live.filter(({ state }) => state.type !== 'terminating')).toEqual([])
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
  })

  it('gets its inputs by reference, and continues the work of the other run', async () => {
    const { run, child } = await waiting()
    expect(await trial.way(run.id)).toEqual(['draft: done', 'build is running-child'])
    expect(child).toMatchObject({
      taskId: run.taskId,
      playbook: { name: 'inner' },
      goal: 'made 1',
      inputs: { tone: 'Grow a tree' },
      cast: { developer: [{ agent: 'will' }] },
      baseCommit: run.baseCommit,
      continues: { commit: '1'.repeat(40), files: ['work.txt'] },
    })
    const [visit] = await trial.visits(child.id)
    const attempt = await trial.jobs.needs.store.read.attempts.find(visit?.attemptId as never)
    expect(attempt?.baseCommit).toBe('1'.repeat(40))
  })

  it('gives its work and its documents to the other run, and lands nothing itself', async () => {
    const { job, run, child } = await waiting()
    await trial.settle(child.id, changed('2'))
    expect((await trial.run(child.id)).state).toMatchObject({ type: 'ended', end: 'land' })
    expect(await trial.way(run.id)).toEqual(['draft: done', 'build: complete', 'polish is working'])
    const build = (await trial.visits(run.id))[1]
    expect(build).toMatchObject({
      commit: '2'.repeat(40),
      answer: { summary: 'made 2', documents: [{ title: 'implement', text: 'Summary: made 2' }] },
    })
    const polish = (await trial.visits(run.id))[2]
    const attempt = await trial.jobs.needs.store.read.attempts.find(polish?.attemptId as never)
    expect(attempt?.baseCommit).toBe('2'.repeat(40))
    expect(await trial.jobs.needs.store.read.landings.listOpen(job.id)).toEqual([])
    const listed = await listRuns(trial.jobs.needs, { job: job.id, limit: 10 })
    expect(listed).toMatchObject({
      value: { items: [{ run: { id: run.id }, children: [{ run: { id: child.id } }] }] },
    })
    expect(listed.ok && listed.value.items).toHaveLength(1)
  })

  it('makes the other run do without what it did without, in the merge commit too', async () => {
    const { job, run } = await trial.follow('outer-undocumented')
    const child = await trial.child(run.id)
    await trial.advance(child.id)
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(child.id, changed('5'))
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(child.id, { outcome: 'failed', problem: 'no words' })
    expect(await degradationOf(child)).toBe('reduced (failed: document)')
    await cancelRun(trial.jobs.needs, run.id, { isForced: false })
    await settleAll(trial.jobs.needs.store, job.id)
    // The visit that waited for the child is taken as it was.
    const { id: jobId } = take(await resumeRun(trial.jobs.needs, run.id))
    await advanceJob(trial.jobs.needs, jobId)
    const [resumed] = await trial.jobs.needs.store.read.runs.listOfJob(jobId)
    if (resumed === undefined) throw new Error('no run continues the other one')
    await trial.settle(resumed.id, changed('6'))
    expect(await degradationOf(resumed)).toBe('reduced (failed: build/document)')
    const trailers = await runTrailers(trial.jobs.needs, [resumed.taskId])
    expect(trailers.get(resumed.taskId)).toEqual(['Muster-Degradation: reduced (failed: build/document)'])
  })

  it('is asked about nothing at its end, and its failure is an outcome', async () => {
    const { run, child } = await waiting()
    await trial.settle(child.id, { outcome: 'failed', problem: 'too hard' })
    expect((await trial.run(child.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    expect((await trial.run(run.id)).state).toMatchObject({
      type: 'ended',
      end: 'failed',
      reason: 'build ended with failed: implement ended with failed: too hard',
    })
  })

  it('passes work on that is only partial, unless its playbook says that such work is only kept', async () => {
    for (const [name, end] of [
      ['outer-ask', 'land'],
      ['outer-keep', 'failed'],
    ] as const) {
      const { job, run } = await trial.follow(name)
      const child = await trial.child(run.id)
      await trial.advance(child.id)
      await settleAll(trial.jobs.needs.store, job.id)
      await trial.settle(child.id, changed('4'))
      await settleAll(trial.jobs.needs.store, job.id)
      await trial.settle(child.id, { outcome: 'failed', problem: 'too hard' })
      expect((await trial.run(child.id)).state).toMatchObject({ type: 'ended', end: 'partial' })
      const [build] = await trial.visits(run.id)
      expect(build).toMatchObject({
        state: { outcome: 'partial' },
        answer: { documents: [{ title: 'implement' }] },
      })
      expect(build?.commit).toBe(name === 'outer-ask' ? '4'.repeat(40) : undefined)
      expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end })
    }
  })

  it('is made up for if its end was never applied', async () => {
    const { run, child } = await waiting()
    const { store } = trial.jobs.needs
    const [visit] = await trial.visits(child.id)
    // As if the process that ended the child had died before the other run went on.
    await store.transact(async (records) => {
      const change = { audit: { actor: 'engine', action: 'example', subject: child.id, detail: {} } } as const
      if (visit === undefined) throw new Error('the child has no visit')
      const made = { ...visit, ...changed('2'), state: { type: 'settled', outcome: 'done' } as const }
      const { outcome: _, ...row } = made
      await records.visits.save(row, change)
      const current = await records.runs.find(child.id)
      if (current === undefined) throw new Error('there is no child')
      const state = { type: 'ended', end: 'land', work: visit.id } as const
      await records.runs.save({ ...current, state }, change)
    })
    await trial.advance(run.id)
    await trial.advance(run.id)
    expect(await trial.way(run.id)).toEqual(['draft: done', 'build: complete', 'polish is working'])
  })

  it('ends with the time of the other run, whose result is the best work of both', async () => {
    const { run, child } = await waiting()
    trial.pass(10)
    await trial.advance(child.id)
    expect((await trial.run(child.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    const second = await waiting()
    trial.pass(60)
    await trial.advance(second.run.id)
    expect((await trial.run(second.child.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    expect((await trial.run(second.run.id)).state).toMatchObject({
      type: 'asking',
      end: 'partial',
      reason: 'it took the 60 minutes that its playbook allows',
    })
  })

  it('is cancelled with its job', async () => {
    const { job, run, child } = await waiting()
    await cancelJob(trial.jobs.needs, job.id)
    for (const { id } of [run, child]) expect((await trial.run(id)).state.type).toBe('cancelled')
    expect(await trial.way(child.id)).toEqual(['implement is cancelled'])
  })
})

describe('a gate of a run within another one', () => {
  const asking = async () => {
    const { job, run } = await trial.follow('outer-gate')
    const child = await trial.child(run.id)
    await trial.advance(child.id)
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(child.id, changed('3'))
    return { job, run, child }
  }

  it('stops the clocks of both until a person decides', async () => {
    const { job, run, child } = await asking()
    for (const { id } of [run, child]) expect((await trial.run(id)).runningSince).toBeUndefined()
    trial.pass(600)
    await trial.advance(run.id)
    await trial.advance(child.id)
    expect(await trial.way(child.id)).toEqual(['implement: done', 'ask is asking'])
    trial.pass(-599)
    await decide(job, 'approval-allow')
    await trial.advance(child.id)
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'land' })
  })

  it('keeps denied work from the other run', async () => {
    const { job, run, child } = await asking()
    await decide(job, 'approval-deny')
    await trial.advance(child.id)
    expect((await trial.run(child.id)).state).toMatchObject({
      type: 'ended',
      end: 'partial',
      reason: "ask ended with denied, so its work can't be used",
    })
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    expect(await trial.jobs.needs.store.read.landings.listOpen(job.id)).toEqual([])
  })
})

describe('work that a run within another one only asks about', () => {
  it.each(['sign-done', 'sign-partial'])('does not land if it is denied in %s', async (name) => {
    const { job, run } = await trial.follow(`outer-${name}`)
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(run.id, changed('6'))
    const child = await trial.child(run.id)
    await trial.advance(child.id)
    await decide(job, 'approval-deny')
    await trial.advance(child.id)
    expect((await trial.run(run.id)).state).toMatchObject({
      type: 'ended',
      end: 'partial',
      reason: 'sign ended with denied, so this work must not land',
    })
    expect(await trial.jobs.needs.store.read.landings.listOpen(job.id)).toEqual([])
  })
})

describe('work that was denied in a run within the one that is continued', () => {
  it('still does not land', async () => {
    const { needs } = trial.jobs
    const { job, run } = await trial.follow('outer-prepared')
    const settle = async (on: Job, id: Run['id'], result: Parameters<RunTrial['settle']>[1]) => {
      await settleAll(needs.store, on.id)
      await trial.settle(id, result)
    }
    await settle(job, run.id, changed('7'))
    const child = await trial.child(run.id)
    await trial.advance(child.id)
    await settle(job, child.id, changed('8'))
    await decide(job, 'approval-deny')
    await trial.advance(child.id)
    const denied = { type: 'ended', reason: 'sign ended with denied, so this work must not land' }
    expect((await trial.run(run.id)).state).toMatchObject(denied)

    const fork = take(await forkRun(needs, run.id, { at: 'sub', prompts: {}, agents: {}, skip: [] }))
    await advanceJob(needs, fork.id)
    const [forked] = await needs.store.read.runs.listOfJob(fork.id)
    if (forked === undefined) throw new Error('the fork has no run')
    await trial.advance(forked.id)
    const again = await trial.child(forked.id)
    await trial.advance(again.id)
    await settle(await trial.jobs.job(fork.id), again.id, { outcome: 'failed', problem: 'lost' })
    expect((await trial.run(forked.id)).state).toMatchObject(denied)
  })
})

describe('a playbook that follows others', () => {
  const starting = (name: string) =>
    startJob(trial.jobs.needs, {
      repositoryPath: trial.jobs.repositoryPath,
      requestDocument: 'x',
      playbook: { name, inputs: {} },
      autoStart: true,
    })
  const following = (name: string, inputs = {}) => ({
    limits,
    start: 'build',
    stages: { build: { playbook: name, inputs, on: ENDS } },
  })

  it.each([
    [
      'one that contains itself over another',
      'loop-a',
      'it leads back to this playbook: loop-a, loop-b, loop-a',
    ],
    ['one that is missing', 'lost', 'there is no playbook "inne"; did you mean "inner"?'],
    ['one with an unknown input', 'wrong-input', 'there is no input of "inner" "tune"; did you mean "tone"?'],
    ['one that leads to a missing one', 'deep-lost', 'the playbook "lost" has faults'],
    ['too many levels', 'level-1', 'at most 4 levels deep: level-1, level-2, level-3, level-4, level-5'],
  ])('starts nothing if it reaches %s', async (_, name, problem) => {
    await trial.write('loop-a', following('loop-b'))
    await trial.write('loop-b', following('loop-a'))
    await trial.write('lost', following('inne'))
    await trial.write('deep-lost', following('lost'))
    await trial.write('wrong-input', following('inner', { tune: 'goal' }))
    for (const level of [1, 2, 3, 4]) await trial.write(`level-${level}`, following(`level-${level + 1}`))
    await trial.write('level-5', following('inner'))
    const before = await trial.jobs.needs.store.read.jobs.listOpen()
    expect(await starting(name)).toMatchObject({
      ok: false,
      failure: {
        type: 'playbook-invalid',
        name,
        faults: [
          {
            line: 1,
            field: expect.stringContaining('stages.build'),
            problem: expect.stringContaining(problem),
          },
        ],
      },
    })
    expect(await trial.jobs.needs.store.read.jobs.listOpen()).toEqual(before)
  })
})
