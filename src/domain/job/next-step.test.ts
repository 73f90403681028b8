import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask, ids } from '../../../test/support/example-records.ts'
import type { Cycle, CyclePhase } from '../cycle/cycle.ts'
import type { Task } from '../task/task.ts'
import type { TaskState } from '../task/task-state.ts'
import type { Job } from './job.ts'
import { type JobSnapshot, nextStep } from './next-step.ts'

const job = exampleJob({
  state: { type: 'running', pausing: false },
  currentCycle: 1,
  runningSince: new Date(),
})
const withLimits = (limits: Partial<Job['plan']['limits']>): Job => ({
  ...job,
  plan: { ...job.plan, limits: { ...job.plan.limits, ...limits } },
})
const at = (phase: CyclePhase, overrides: Partial<JobSnapshot> = {}): JobSnapshot => ({
  job,
  cycles: [exampleCycle(job, { phase, tasksCompleted: 1 })],
  tasks: [],
  unsettledAttempts: 0,
  openLandings: 0,
  hasWaitingEdit: false,
  waitsForPerson: false,
  now: new Date(),
  ...overrides,
})

describe('the next step of a job', () => {
  it('starts with a first cycle', () => {
    expect(nextStep(at('done', { cycles: [] }))).toEqual({ type: 'start-cycle', number: 1 })
  })

  it('asks the planner again only if no answer is pending', () => {
    expect(nextStep(at('discovery')).type).toBe('discover')
    expect(nextStep(at('discovery', { unsettledAttempts: 1 })).type).toBe('wait')
  })

  it('converges when nothing executes and updates when everything has finished', () => {
    const [cycle] = at('execution').cycles as [Cycle]
    const landing = exampleTask(cycle, { state: { type: 'landing', landingId: 'lnd_1' as never } })
    const done = exampleTask(cycle, { state: { type: 'completed', commit: 'c' } })
    expect(nextStep(at('execution', { tasks: [exampleTask(cycle), landing] })).type).toBe('dispatch')
    expect(nextStep(at('execution', { tasks: [landing, done] })).type).toBe('converge')
    expect(nextStep(at('convergence', { tasks: [landing, done] })).type).toBe('wait')
    expect(nextStep(at('convergence', { tasks: [done] })).type).toBe('update')
  })

  it('pauses when all is quiet, and never in the middle of an update', () => {
    const pausing: Job = { ...job, state: { type: 'running', pausing: true } }
    const tasks = [exampleTask(exampleCycle(job))]
    expect(nextStep(at('execution', { job: pausing, tasks, unsettledAttempts: 1 })).type).toBe('dispatch')
    expect(nextStep(at('execution', { job: pausing, tasks, openLandings: 1 })).type).toBe('dispatch')
    expect(nextStep(at('execution', { job: pausing })).type).toBe('pause')
    expect(nextStep(at('update', { job: pausing })).type).toBe('wait')
  })

  it('ends at each limit with its own reason', () => {
    expect(nextStep(at('done', { job: withLimits({ maxCycles: 1 }) }))).toEqual({
      type: 'end',
      reason: 'max-cycles-reached',
    })
    const late = new Date(Date.now() + 61_000)
    expect(nextStep(at('done', { job: withLimits({ timeLimitMinutes: 1 }), now: late }))).toEqual({
      type: 'end',
      reason: 'time-limit-reached',
    })
    const fruitless = [1, 2].map((number) => exampleCycle(job, { number, phase: 'done', tasksCompleted: 0 }))
    expect(nextStep(at('done', { cycles: fruitless }))).toEqual({ type: 'end', reason: 'no-progress' })
  })

  it('does not count pauses toward the time limit', () => {
    const { runningSince: _, ...suspended } = withLimits({ timeLimitMinutes: 1 })
    const later: Job = { ...suspended, activeMs: 30_000 }
    expect(nextStep(at('done', { job: later, now: new Date(Date.now() + 3_600_000) })).type).toBe(
      'start-cycle',
    )
  })

  it('keeps executing while a task is in review, because the task may be sent back', () => {
    const [cycle] = at('execution').cycles as [Cycle]
    const review = exampleTask(cycle, { state: { type: 'review', runId: 'run_1' as never } })
    expect(nextStep(at('execution', { tasks: [review] })).type).toBe('dispatch')
  })

  it('ends when the budget is reached, between cycles or while nothing in the cycle is running', () => {
    const spent = { ...job, budgetNotice: 'reached' } as const
    const end = { type: 'end', reason: 'budget-reached' }
    expect(nextStep(at('done', { job: spent }))).toEqual(end)
    expect(nextStep(at('discovery', { job: spent }))).toEqual(end)
    expect(nextStep(at('discovery', { job: spent, unsettledAttempts: 1 })).type).toBe('wait')
    expect(nextStep(at('done', { job: { ...job, budgetNotice: 'warned' } })).type).toBe('start-cycle')
  })

  it("applies a person's edit before it ends for lack of progress", () => {
    const cycles = [1, 2].map((number) => exampleCycle(job, { number, phase: 'done' }))
    expect(nextStep(at('done', { cycles }))).toEqual({ type: 'end', reason: 'no-progress' })
    expect(nextStep(at('done', { cycles, hasWaitingEdit: true }))).toEqual({ type: 'start-cycle', number: 3 })
    const limited = withLimits({ maxCycles: 2 })
    expect(nextStep(at('done', { job: limited, cycles, hasWaitingEdit: true }))).toEqual({
      type: 'end',
      reason: 'max-cycles-reached',
    })
  })
})

describe('the next step of a job without a planner', () => {
  const { planner: _, ...plan } = job.plan
  const playbook = { name: 'solo', hash: 'a'.repeat(64) }
  const given: Job = { ...job, plan: { ...plan, approach: { type: 'run', playbook, inputs: {}, cast: {} } } }
  const endedBy = (state: TaskState, overrides: Partial<JobSnapshot> = {}) => {
    const snapshot = at('done', { job: given, ...overrides })
    const [cycle] = snapshot.cycles as [Cycle]
    return nextStep({ ...snapshot, tasks: [exampleTask(cycle, { origin: { type: 'given' }, state })] })
  }
  const reason = 'it does not compile'

  it('starts its only cycle', () => {
    expect(nextStep(at('done', { job: given, cycles: [] }))).toEqual({ type: 'start-cycle', number: 1 })
  })

  it('starts its cycle after the base was fixed', () => {
    const base = { type: 'fixed', baselineId: ids.next('baseline'), fixCycles: 1 } as const
    const fix = exampleTask(exampleCycle(job), { origin: { type: 'base', isSetup: false } })
    const tasks: readonly Task[] = [{ ...fix, state: { type: 'completed', commit: 'c' } }]
    expect(nextStep(at('done', { job: { ...given, base }, tasks }))).toEqual({
      type: 'start-cycle',
      number: 2,
    })
  })

  it('ends after that cycle as its task did', () => {
    expect(endedBy({ type: 'completed', commit: 'c' })).toEqual({ type: 'end', reason: 'task-completed' })
    expect(endedBy({ type: 'blocked', reason, paths: [] })).toEqual({ type: 'end', reason: 'task-blocked' })
    expect(endedBy({ type: 'failed', reason })).toEqual({ type: 'end', reason: 'task-failed' })
    expect(endedBy({ type: 'skipped', reason })).toEqual({ type: 'end', reason: 'no-progress' })
  })

  it('starts no other cycle for an edit of its goal', () => {
    expect(endedBy({ type: 'failed', reason }, { hasWaitingEdit: true }).type).toBe('end')
  })

  it('ends at a limit only if the limit kept its task from being done', () => {
    const spent: Job = { ...given, budgetNotice: 'reached' }
    expect(endedBy({ type: 'skipped', reason }, { job: spent })).toEqual({
      type: 'end',
      reason: 'budget-reached',
    })
    const limits = { ...plan.limits, maxCycles: 1, timeLimitMinutes: 1 }
    const late = { job: { ...given, plan: { ...given.plan, limits } }, now: new Date(Date.now() + 61_000) }
    expect(endedBy({ type: 'skipped', reason }, late)).toEqual({ type: 'end', reason: 'time-limit-reached' })
    expect(endedBy({ type: 'completed' }, late)).toEqual({ type: 'end', reason: 'task-completed' })
    expect(nextStep(at('done', { ...late, cycles: [] }))).toEqual({
      type: 'end',
      reason: 'time-limit-reached',
    })
  })
})
