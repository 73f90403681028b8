import { describe, expect, it } from 'vitest'
import {
  exampleCycle,
  exampleJob,
  exampleSession,
  exampleTask,
  ids,
} from '../../../test/support/example-records.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { evidenceLines } from '../discovery/read-evidence.ts'
import type { Job } from '../job/job.ts'
import type { Candidate } from '../landing/candidate.ts'
import type { Landing } from '../landing/landing.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import { NO_CONVERSATION } from '../session/conversation-state.ts'
import type { Task } from '../task/task.ts'
import { buildReport } from './build-report.ts'
import type { ReportInput } from './report-input.ts'

const COMMIT = 'c'.repeat(40)
const TREE = 'd'.repeat(40)
const NOW = new Date('2031-04-01T12:00:00.000Z')
const EARLIER = new Date(NOW.getTime() - 60_000)

const example = exampleJob()
const job: Job = {
  ...example,
  plan: { ...example.plan, checks: ['npm test'] },
  state: { type: 'completed', reason: 'goal-reached', evidence: ['all tests pass'] },
  currentCycle: 2,
}
const cycle = exampleCycle(job)

function completed(overrides: Partial<Task> = {}): Task {
  return exampleTask(cycle, { state: { type: 'completed', commit: COMMIT }, ...overrides })
}

function attemptOf(task: Task, overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: ids.next('attempt'),
    jobId: job.id,
    purpose: { type: 'task', taskId: task.id },
    role: 'worker',
    number: 1,
    agent: { name: 'ada', provider: 'command', roles: ['worker'], env: [] },
    sessionId: ids.next('session'),
    state: { type: 'settled', outcome: { type: 'accepted' } },
    tip: 'e'.repeat(40),
    handoffs: [],
    version: 1,
    createdAt: EARLIER,
    endedAt: NOW,
    ...overrides,
  }
}

function landingOf(task: Task, overrides: Partial<Landing> = {}): Landing {
  return {
    id: ids.next('landing'),
    jobId: job.id,
    taskId: task.id,
    attemptId: ids.next('attempt'),
    branch: task.branch,
    tip: 'e'.repeat(40),
    state: { type: 'landed', commit: COMMIT, tree: TREE },
    checks: [{ command: 'npm test', passed: true, detail: 'passed', tree: TREE }],
    batchLimit: 64,
    version: 1,
    createdAt: NOW,
    ...overrides,
  }
}

function candidateOf(landings: readonly Landing[], overrides: Partial<Candidate> = {}): Candidate {
  return {
    id: ids.next('candidate'),
    jobId: job.id,
    branch: job.workingBranch,
    purpose: { type: 'landings', landingIds: landings.map(({ id }) => id) },
    onto: 'a'.repeat(40),
    commit: COMMIT,
    tree: TREE,
    state: { type: 'landed' },
    checks: [],
    version: 1,
    createdAt: NOW,
    ...overrides,
  }
}

/** One task that landed normally. */
function reportInputOf(overrides: Partial<ReportInput> = {}): ReportInput {
  const task = completed({ clauses: [1] })
  return {
    job,
    clauses: ['the parser accepts weeks'],
    tasks: [task],
    attempts: [attemptOf(task)],
    landings: [landingOf(task)],
    candidates: [],
    sessions: [],
    approvals: [],
    questions: [],
    plannerBlockers: [],
    runs: [],
    trees: new Map([[COMMIT, TREE]]),
    isDelivered: true,
    now: NOW,
    ...overrides,
  }
}

describe('a report', () => {
  it('is ready if everything landed, was checked and was delivered', () => {
    const report = buildReport(reportInputOf())
    expect(report).toMatchObject({
      finalizeReady: true,
      notReady: [],
      status: 'completed',
      reason: 'goal-reached',
      evidence: ['all tests pass'],
      clauses: [{ number: 1, status: 'served' }],
      otherTasks: [],
    })
    expect(report.tasks[0]?.landings[0]).toMatchObject({ commit: COMMIT, tree: TREE, verified: true })
    expect(report.tasks[0]?.attempts[0]).toMatchObject({
      agent: 'ada',
      outcome: 'accepted',
      durationMs: 60_000,
    })
  })

  it.each<readonly [string, Partial<ReportInput>, string]>([
    ['runs', { job: { ...job, state: { type: 'running', pausing: false } } }, 'the job is running'],
    [
      'ended early',
      { job: { ...job, state: { type: 'completed', reason: 'budget-reached', evidence: [] } } },
      'the job used up its budget before the goal was reached',
    ],
    [
      'made no progress',
      { job: { ...job, state: { type: 'completed', reason: 'no-progress', evidence: [] } } },
      'the job made no more progress and stopped before the goal was reached',
    ],
    [
      'hit its cycle limit',
      { job: { ...job, state: { type: 'completed', reason: 'max-cycles-reached', evidence: [] } } },
      'the job hit its cycle limit before the goal was reached',
    ],
    ['was cancelled', { job: { ...job, state: { type: 'cancelled', reason: 'no' } } }, 'cancelled: no'],
    ['broke', { job: { ...job, state: { type: 'error', error: 'out of planners' } } }, 'out of planners'],
    ['has no checks', { job: { ...job, plan: { ...job.plan, checks: [] } } }, 'no checks are configured'],
    ['was not delivered', { isDelivered: false }, 'has not been delivered to your repository'],
    ['has another tree in git', { trees: new Map([[COMMIT, 'f'.repeat(40)]]) }, 'the tree in git differs'],
    ['has lost its commit', { trees: new Map() }, 'the tree in git differs'],
    ['has a session that runs', { sessions: [exampleSession(job)] }, '1 session is open'],
    [
      'has open candidates',
      { candidates: [candidateOf([], { state: { type: 'passed' } })] },
      '1 candidate is open',
    ],
    [
      'conflicts with its base',
      { base: { type: 'conflict', paths: ['a.txt'] } },
      `main has moved and conflicts with ${job.workingBranch} in a.txt`,
    ],
    [
      'could not take in where its base is',
      {
        job: { ...job, movedBase: { commit: COMMIT, problem: 'the checks fail' } },
        base: { type: 'apart', commit: COMMIT },
      },
      'main has moved to cccccccccc, which could not be merged: the checks fail',
    ],
    [
      'could not take in a base that nobody can look at',
      { job: { ...job, movedBase: { commit: COMMIT, problem: 'it conflicts' } } },
      'which could not be merged: it conflicts',
    ],
  ])('of a job that %s is not ready, with a reason', (_, overrides, reason) => {
    const report = buildReport(reportInputOf(overrides))
    expect(report.finalizeReady).toBe(false)
    expect(report.notReady.join('\n')).toContain(reason)
  })

  it('is ready even if the base has moved, and notes that a merge is needed', () => {
    const moved: Job = { ...job, movedBase: { commit: TREE, problem: 'of the past' } }
    const report = buildReport(reportInputOf({ job: moved, base: { type: 'apart', commit: COMMIT } }))
    expect(report).toMatchObject({
      finalizeReady: true,
      notes: [expect.stringContaining('a merge commit is needed, and it will be checked')],
    })
    expect(buildReport(reportInputOf({ job: moved, base: { type: 'forward' } }))).toMatchObject({
      finalizeReady: true,
      notes: [],
    })
  })

  it('counts no check as passed that failed, ran on another tree, or did not run', () => {
    const check = { command: 'npm test', passed: true, detail: '', tree: TREE }
    for (const checks of [
      [],
      [{ ...check, passed: false }],
      [{ ...check, tree: 'f'.repeat(40) }],
      [{ ...check, command: 'true' }],
    ]) {
      const task = completed()
      const report = buildReport(reportInputOf({ tasks: [task], landings: [landingOf(task, { checks })] }))
      expect(report.notReady.join('\n')).toContain('no passed checks on the tree that landed')
    }
  })

  it('requires no check for a landing that brought nothing new', () => {
    const task = completed()
    const state = { type: 'landed', commit: COMMIT, tree: TREE, isContained: true } as const
    const report = buildReport(
      reportInputOf({ tasks: [task], landings: [landingOf(task, { state, checks: [] })] }),
    )
    expect(report).toMatchObject({ finalizeReady: true })
  })

  it('accepts a blocked task whose work landed with a later one, over several conflicts', () => {
    const blocked = exampleTask(cycle, {
      clauses: [1],
      state: { type: 'blocked', reason: 'conflicts in a.txt', paths: ['a.txt'] },
    })
    const madeFor = (task: Task) =>
      ({ type: 'conflict', taskId: task.id, tip: COMMIT, paths: ['a.txt'] }) as const
    const again = exampleTask(cycle, { number: 2, state: blocked.state, origin: madeFor(blocked) })
    const successor = completed({ number: 3, origin: madeFor(again) })
    const report = buildReport(
      reportInputOf({ tasks: [blocked, again, successor], landings: [landingOf(successor)] }),
    )
    expect(report).toMatchObject({ finalizeReady: true, blockers: [], clauses: [{ status: 'served' }] })
    expect(report.tasks[0]).toMatchObject({ supersededBy: successor.id, status: 'blocked' })
    expect(buildReport(reportInputOf({ tasks: [blocked, again] }))).toMatchObject({
      finalizeReady: false,
      blockers: [
        { type: 'task', id: blocked.id },
        { type: 'task', id: again.id },
      ],
      clauses: [{ status: 'open' }],
    })
  })

  it('is ready if later work for the same clauses landed and the planner confirmed the goal', () => {
    const clauses = ['one', 'two']
    const failed = exampleTask(cycle, { state: { type: 'failed', reason: 'its check failed' }, clauses: [2] })
    const other = completed({ cycleNumber: cycle.number + 1, clauses: [1] })
    const replacement = completed({ cycleNumber: cycle.number + 1, number: 2, clauses: [2] })
    const landings = [landingOf(replacement)]
    const report = buildReport(reportInputOf({ tasks: [failed, replacement], landings, clauses }))
    expect(report).toMatchObject({ finalizeReady: true, blockers: [] })
    expect(report.clauses[1]).toMatchObject({ status: 'served' })
    expect(report.tasks[0]).toMatchObject({ status: 'failed', coveredBy: replacement.id })
    expect(report.tasks[0]).not.toHaveProperty('supersededBy')

    const unconfirmed = {
      ...job,
      state: { type: 'completed', reason: 'nothing-left', evidence: [] },
    } as const
    for (const input of [
      { tasks: [failed, other], landings: [], clauses },
      { tasks: [failed, replacement], landings, clauses, job: unconfirmed },
      { tasks: [{ ...failed, cycleNumber: replacement.cycleNumber }, replacement], landings, clauses },
    ])
      expect(buildReport(reportInputOf(input))).toMatchObject({
        finalizeReady: false,
        blockers: [{ id: failed.id }],
      })
  })

  it('is ready without the work that a person denied, and names it', () => {
    const done = completed()
    const state = { type: 'failed', reason: 'denied by grace', isDenied: true } as const
    const denied = exampleTask(cycle, { number: 2, state })
    const input = { tasks: [done, denied], landings: [landingOf(done)] }
    expect(buildReport(reportInputOf(input))).toMatchObject({
      finalizeReady: true,
      denied: [denied.id],
      notReady: [],
      blockers: [],
      clauses: [{ status: 'served' }],
    })
    const failed = { ...denied, state: { type: 'failed', reason: 'its check failed' } } as const
    expect(buildReport(reportInputOf({ ...input, tasks: [done, failed] }))).toMatchObject({
      finalizeReady: false,
      denied: [],
    })
  })

  it('notes the unlanded work of a task that later work only covers', () => {
    const state = { type: 'blocked', reason: 'the agent failed', paths: [] } as const
    const [done, blocked] = [completed(), exampleTask(cycle, { number: 2, state })]
    const idle = exampleTask(cycle, { number: 3, state })
    const later = completed({ cycleNumber: cycle.number + 1 })
    const tasks = [done, blocked, idle, later]
    const attempts = [attemptOf(blocked), attemptOf(idle, { tip: job.baseCommit })]
    const report = buildReport(reportInputOf({ tasks, attempts, landings: [landingOf(later)] }))
    expect(report).toMatchObject({
      finalizeReady: true,
      notes: [
        `the work of t${cycle.number}-2 did not land; Muster keeps it, and \`muster recover ${blocked.id}\` restores it`,
      ],
    })
    expect(report.tasks.map((task) => task.coveredBy)).toEqual([undefined, later.id, later.id, undefined])
    expect(report.tasks.map((task) => task.supersededBy)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('names no denied work that later work covers', () => {
    const state = { type: 'failed', reason: 'denied by grace', isDenied: true } as const
    const denied = exampleTask(cycle, { state })
    const later = completed({ cycleNumber: cycle.number + 1 })
    const report = buildReport(reportInputOf({ tasks: [denied, later], landings: [landingOf(later)] }))
    expect(report).toMatchObject({ finalizeReady: true, denied: [] })
  })

  it('lists clauses that no task serves, and tasks that serve no known clause', () => {
    const [served, other, beyond] = [1, 2, 3].map((number) => completed({ number }))
    const tasks = [{ ...served, clauses: [2] }, other, { ...beyond, clauses: [9] }] as Task[]
    const report = buildReport(reportInputOf({ tasks, landings: [], clauses: ['one', 'two'] }))
    expect(report.clauses).toMatchObject([
      { number: 1, status: 'untouched', tasks: [] },
      { number: 2, status: 'served', tasks: [served?.id] },
    ])
    expect(report.otherTasks).toEqual([other?.id, beyond?.id])
  })

  it('shows a clause as not finished if all of its tasks were skipped, as in a cancelled job', () => {
    const skipped = exampleTask(cycle, { state: { type: 'skipped', reason: 'the job was cancelled' } })
    const cancelled: Job = { ...job, state: { type: 'cancelled' } }
    const input = { tasks: [skipped], attempts: [], landings: [] }
    expect(buildReport(reportInputOf({ ...input, job: cancelled })).clauses).toMatchObject([
      { status: 'open', tasks: [skipped.id] },
    ])
    expect(buildReport(reportInputOf(input)).clauses).toMatchObject([{ status: 'shown' }])
  })

  it('gives the error of a failed job as the reason, and not its skipped tasks', () => {
    const skipped = exampleTask(cycle, { state: { type: 'skipped', reason: 'the job ended with an error' } })
    const failed: Job = { ...job, state: { type: 'error', error: 'no more disk' } }
    const report = buildReport(reportInputOf({ job: failed, tasks: [skipped], attempts: [], landings: [] }))
    expect(report.notReady).toEqual(['the job failed: no more disk'])
    expect(report.clauses).toMatchObject([{ status: 'open', tasks: [skipped.id] }])
    expect(report.blockers).toEqual([])
  })

  it('counts all tasks toward the only clause of a goal', () => {
    const tasks = [completed(), completed({ number: 2, clauses: [7] })]
    const report = buildReport(reportInputOf({ tasks, landings: [] }))
    expect(report.clauses).toMatchObject([
      { status: 'served', tasks: tasks.map(({ id }) => id), evidence: ['all tests pass'] },
    ])
    expect(report.otherTasks).toEqual([])
  })

  it("shows the planner's evidence with its clause", () => {
    const long = `the printer ${'prints '.repeat(30)}`.trim()
    const clauses = ['weeks — and days', long, 'nothing else']
    const evidence = [
      ...evidenceLines([{ clause: 1, evidence: 'a test' }], clauses),
      ...evidenceLines([{ clause: 2, evidence: 'a page' }], clauses),
    ]
    const state = { type: 'completed', reason: 'goal-reached', evidence } as const
    const report = buildReport(reportInputOf({ job: { ...job, state }, clauses, tasks: [], landings: [] }))
    expect(report.clauses).toMatchObject([
      { status: 'shown', evidence: ['a test'] },
      { status: 'shown', evidence: ['a page'] },
      { status: 'untouched', evidence: [] },
    ])
  })

  it('lists blockers: tasks with a suggestion, the planner, approvals and questions', () => {
    const failed = exampleTask(cycle, {
      state: { type: 'failed', reason: 'the agent gave up\nat length', suggestion: 'split it' },
    })
    const report = buildReport(
      reportInputOf({ tasks: [failed], landings: [], plannerBlockers: ['no key for the API'] }),
    )
    expect(report.blockers).toEqual([
      { type: 'task', id: failed.id, text: 'the agent gave up', suggestion: 'split it' },
      { type: 'planner', text: 'no key for the API' },
    ])
  })

  it('adds up costs per job, agent and task, and names sessions without a price', () => {
    const task = completed()
    const [first, second] = [attemptOf(task), attemptOf(task, { number: 2 })]
    const session = (attempt: Attempt, agentName: string, costUsd: number) =>
      exampleSession(job, {
        purpose: { type: 'attempt', attemptId: attempt.id },
        agentName,
        state: { type: 'terminated', end: { type: 'exited', code: 0 } },
        conversation: { ...NO_CONVERSATION, usage: { inputTokens: 100, outputTokens: 10, costUsd } },
        startedAt: EARLIER,
        endedAt: NOW,
      })
    const unpriced = session(second, 'bob', 0)
    const check = exampleSession(job, {
      purpose: {
        type: 'check',
        candidateId: ids.next('candidate'),
        index: 0,
        command: 'true',
        isFresh: true,
      },
      state: unpriced.state,
      startedAt: EARLIER,
    })
    const report = buildReport(
      reportInputOf({
        tasks: [task],
        attempts: [first, second],
        sessions: [session(first, 'ada', 1.5), session(first, 'ada', 0.5), unpriced, check],
      }),
    )
    expect(report.cost).toEqual({
      costUsd: 2,
      inputTokens: 300,
      outputTokens: 30,
      unpriced: 1,
      unpricedSessions: [unpriced.id],
    })
    expect(report.agents).toMatchObject([
      { agent: 'ada', sessions: 2, durationMs: 120_000, cost: { costUsd: 2, unpriced: 0 } },
      { agent: 'bob', sessions: 1, cost: { costUsd: 0, unpriced: 1 } },
    ])
    expect(report.tasks[0]).toMatchObject({
      cost: { costUsd: 2 },
      attempts: [{ cost: { costUsd: 2 } }, { cost: { costUsd: 0 } }],
    })
  })

  it('separates reviews from attempts, with their verdicts', () => {
    const task = completed({
      successCriteria: ['it parses'],
      criteria: [{ number: 1, isMet: true, evidence: 'a test', by: 'reviewer' }],
    })
    const verdict = {
      type: 'needs-revision',
      summary: '',
      issues: [{ severity: 'major', location: 'a.ts:1', issue: 'no test', suggestion: '' }],
      criteria: [],
    } as const
    const review = attemptOf(task, {
      purpose: { type: 'review', taskId: task.id },
      role: 'reviewer',
      state: { type: 'settled', outcome: { type: 'accepted', verdict } },
    })
    const [shown] = buildReport(reportInputOf({ tasks: [task], attempts: [attemptOf(task), review] })).tasks
    expect(shown).toMatchObject({
      attempts: [{ role: 'worker' }],
      reviews: [{ verdict: 'needs-revision', reason: 'a.ts:1: no test' }],
      criteria: [{ text: 'it parses', isMet: true, evidence: 'a test', by: 'reviewer' }],
    })
  })

  it('has the counts and the words of each result', () => {
    const task = completed({
      changes: { files: 2, added: 5, removed: 1, unusual: ['a reason'], omissions: ['a path'] },
      resultSummary: 'parses weeks',
    })
    const [reported] = buildReport(reportInputOf({ tasks: [task], attempts: [], landings: [] })).tasks
    expect(reported).toMatchObject({
      changes: { files: 2, added: 5, removed: 1 },
      omissions: ['a path'],
      summary: 'parses weeks',
    })
  })

  it('names the tasks that were checked in the same commit', () => {
    const [one, other] = [completed(), completed({ number: 2 })]
    const landings = [landingOf(one), landingOf(other)]
    const candidate = candidateOf(landings)
    const report = buildReport(reportInputOf({ tasks: [one, other], landings, candidates: [candidate] }))
    expect(report.tasks.map((task) => task.landings[0])).toMatchObject([
      { candidateId: candidate.id, mates: [other.id] },
      { candidateId: candidate.id, mates: [one.id] },
    ])
  })

  it.each([
    ['checking', undefined],
    ['passed', 'turn'],
    ['asking', 'person'],
    ['allowed', 'turn'],
  ] as const)('shows what a landing waits for whose candidate is %s', (type, waitsFor) => {
    const task = exampleTask(cycle)
    const id = ids.next('candidate')
    const landing = landingOf(task, { state: { type: 'checking', candidateId: id } })
    const state = {
      checking: { type, checkIndex: 0, sessionId: ids.next('session'), suspects: [], lost: 0 },
      passed: { type },
      asking: { type, approvalId: ids.next('approval') },
      allowed: { type, approvalId: ids.next('approval') },
    }[type] as Candidate['state']
    const candidates = [candidateOf([landing], { id, state })]
    const report = buildReport(reportInputOf({ tasks: [task], landings: [landing], candidates }))
    expect(report.tasks[0]?.landings[0]?.waitsFor).toBe(waitsFor)
  })

  it('is bounded, whatever the rows contain', () => {
    const long = 'x'.repeat(1_000_000)
    const tasks = Array.from({ length: REPORT_LIMITS.tasks + 50 }, (_, index) =>
      exampleTask(cycle, { number: index + 1, description: long, state: { type: 'failed', reason: long } }),
    )
    const attempts = tasks.slice(-1).flatMap((task) => Array.from({ length: 100 }, () => attemptOf(task)))
    const report = buildReport(reportInputOf({ tasks, attempts, landings: [], plannerBlockers: [long] }))
    expect(report.tasks).toHaveLength(REPORT_LIMITS.tasks)
    expect(report.omittedTasks).toBe(50)
    expect(report.tasks.at(-1)?.attempts).toHaveLength(REPORT_LIMITS.attemptsPerTask)
    expect(report.notReady.at(-1)).toBe('and 400 more tasks are not done')
    expect(JSON.stringify(report).length).toBeLessThan(2_500_000)
  })
})
