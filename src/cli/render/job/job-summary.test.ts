import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { WireJob } from '../../../contract/job.ts'
import { firstProgress, nextProgress } from '../../follow/progress.ts'
import { createHint } from '../../hint.ts'
import { SAMPLE_AT, SAMPLE_TASK_ID, sampleEvent, sampleJob, sampleTask } from '../../testing/sample-wire.ts'
import { footerLines } from '../live/footer-lines.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { createPaint, wantsColour } from '../text/paint.ts'
import { problemLines } from '../text/problem-lines.ts'
import { table } from '../text/table.ts'
import { exitCodeOfJob, jobSummaryLines } from './job-summary.ts'
import { jobStanding } from './job-words.ts'

const plain = createPaint(false)
const display: Display = {
  paint: plain,
  hint: createHint({ home: '/srv/m' }),
  shortId: (id) => id,
  home: '/srv/m',
}

const landed = sampleTask({ commit: 'd'.repeat(40) })

describe('jobSummaryLines', () => {
  it('closes a quotation in the reason of a job if it has to be cut', () => {
    const lastError = `the planner said: "${'There is no script for this. '.repeat(6)}"`
    const [, head] = jobSummaryLines(sampleJob({ status: 'error', lastError }), [], display)
    expect(head).toMatch(/: "There is .*…" \(\d cycle/)
  })

  it('lists every task with its reason, the branch, and that the checkout is unchanged', () => {
    const tasks = [
      sampleTask({ commit: 'd'.repeat(40) }),
      sampleTask({ number: 2, status: 'blocked', reason: 'conflicts in src/a.mjs' }),
    ]
    const text = jobSummaryLines(sampleJob(), tasks, display).join('\n')
    expect(text).toContain(
      'the planner reports that the goal is reached; 1 task did not land (2 cycles, 1m05s)',
    )
    expect(text).toContain('t1-1   completed Fix the first thing dddddddddd')
    expect(text).toMatch(/t1-2 {3}blocked .*\n {9}conflicts in src\/a\.mjs/)
    expect(text).toContain(`more: muster --home /srv/m show ${SAMPLE_TASK_ID}`)
    expect(text).toContain('your checkout is unchanged; see: git log muster/job')
    expect(text).not.toContain('try:')
  })

  it('reports the goal as reached if all work landed, and only as the claim of the planner if not', () => {
    const failed = sampleTask({ number: 2, status: 'failed' })
    const denied = sampleTask({ number: 3, status: 'failed', isDenied: true })
    const head = (job: WireJob, ...tasks: (typeof landed)[]) => jobSummaryLines(job, tasks, display)[1]
    expect(head(sampleJob(), landed)).toMatch(/^completed: the goal is reached \(/)
    expect(head(sampleJob(), landed, failed, denied)).toMatch(
      /^the planner reports that the goal is reached; 2 tasks did not land \(/,
    )
    expect(head(sampleJob({ reason: 'nothing-left' }), landed, failed)).toMatch(
      /^the planner reports that nothing is left to do; 1 task did not land \(/,
    )
    expect(head(sampleJob({ reason: 'goal-doubted' }), failed)).toMatch(
      /^stopped: the planner reported the goal as reached, but nothing landed, 0 of 1 tasks landed \(/,
    )
  })

  it('does not count a task that a later one did anew, as reports do', () => {
    const failed = sampleTask({ number: 2, status: 'failed', clauses: [2] })
    const anew = sampleTask({ id: 'tsk_anew', cycleNumber: 2, clauses: [2], commit: 'e'.repeat(40) })
    const job = sampleJob({ requestDocument: '- grow\n- bloom\n' })
    const head = (...tasks: (typeof landed)[]) => jobSummaryLines(job, tasks, display)[1]
    expect(head(landed, failed, anew)).toMatch(/^completed: the goal is reached \(/)
    expect(head(landed, failed, { ...anew, clauses: [1] })).toMatch(/1 task did not land/)
    expect(head(landed, failed, { ...anew, cycleNumber: 1 })).toMatch(/1 task did not land/)
  })

  it('says that nothing has landed yet while the job is running', () => {
    const end = (job: WireJob) => jobSummaryLines(job, [], display).join('\n')
    expect(end(sampleJob({ status: 'running' }))).toContain(
      'nothing has landed yet; your checkout is unchanged',
    )
    expect(end(sampleJob({ status: 'cancelled', reason: undefined }))).toMatch(
      /^\ncancelled \(.*\nnothing landed; your checkout is unchanged/s,
    )
  })

  it('shows that the rest of the budget was not enough', () => {
    const { limits } = sampleJob()
    const job = sampleJob({ reason: 'budget-reached', spentUsd: 0.8, limits: { ...limits, budgetUsd: 1 } })
    const head = (spentUsd: number) => jobSummaryLines({ ...job, spentUsd }, [], display)[1]
    expect(head(0.8)).toContain(
      'stopped at the budget: the remaining $0.20 is not enough for another attempt, 0 of 0 tasks',
    )
    expect(head(1.2)).toContain('stopped at the budget, 0 of 0 tasks')
  })

  it('ends with what to try if a job hit a limit, and shows how much landed', () => {
    const errorMessage = 'check "npm test" exited with code 1:\n> npm test\nrunning\nerror: 2 is not 3\n'
    const reason = 'check "npm test" exited with code 1'
    const tasks = [
      sampleTask({ status: 'failed', reason, errorMessage }),
      sampleTask({ number: 2, status: 'skipped' }),
    ]
    const job = sampleJob({ reason: 'max-cycles-reached', currentCycle: 1 })
    const lines = jobSummaryLines(job, tasks, display)
    expect(lines[1]).toBe('stopped at the cycle limit, 0 of 2 tasks landed (1 cycle, 1m05s)')
    expect(lines).toContain('           error: 2 is not 3')
    expect(lines.at(-1)).toBe(`try: muster --home /srv/m show ${SAMPLE_TASK_ID}`)
  })

  it('suggests the report, the diff and the merge if something landed', () => {
    const lines = jobSummaryLines(sampleJob(), [landed], display, { names: 'labels' })
    expect(lines.at(-1)).toMatch(/: +muster --home \/srv\/m merge job_/)
    expect(jobSummaryLines(sampleJob(), [sampleTask()], display)).not.toContain('next:')
    const named = jobSummaryLines(sampleJob(), [sampleTask({ status: 'failed' })], display, {
      names: 'labels',
    })
    expect(named.join('\n')).toContain('more: muster --home /srv/m show t1-1')
  })

  it('names the check that still fails on the base, and repeats what the report says', () => {
    const readiness = { type: 'not-ready', reasons: ['landing lnd_1 ...'], failing: ['npm test'] } as const
    const lines = jobSummaryLines(sampleJob({ baseStatus: 'tolerated' }), [landed], display, { readiness })
    expect(lines).toContain('"npm test" fails on main and still fails with this work')
    expect(lines).toContain('not ready to merge')
    expect(lines.at(-1)).toMatch(/^ {2}merge it anyway: +muster /)
    const other = { ...readiness, failing: [], reasons: ['main has moved', 'one more'] }
    expect(jobSummaryLines(sampleJob(), [landed], display, { readiness: other })).toContain(
      'not ready to merge: main has moved (and 1 more)',
    )
    const ready = jobSummaryLines(sampleJob(), [landed], display, { readiness: { type: 'ready' } })
    expect(ready.join('\n')).not.toContain('not ready')
    expect(ready.at(-1)).toMatch(/^ {2}merge the work: +muster /)
  })

  it('says where and when the work was merged, and suggests no merge then', () => {
    const readiness = { type: 'merged', commit: 'e'.repeat(40), when: '14:05' } as const
    const text = jobSummaryLines(sampleJob(), [landed], display, { readiness }).join('\n')
    expect(text).toContain('1 task landed on branch muster/job\nmerged into main at eeeeeeeeee, 14:05\nnext:')
    expect(text).not.toContain('unchanged')
    expect(text).not.toContain('muster --home /srv/m merge')
    const unknown = jobSummaryLines(sampleJob(), [landed], display, { readiness: { type: 'merged' } })
    expect(unknown).toContain('merged into main')
  })

  it('shows why the moved base branch could not be merged', () => {
    const movedBase = { commit: 'e'.repeat(40), problem: 'conflicts in a.txt' }
    expect(jobSummaryLines(sampleJob({ movedBase }), [], display)).toContain(
      '  main has moved to eeeeeeeeee, which could not be merged: conflicts in a.txt',
    )
  })

  it('shows where the work is if it could not be delivered', () => {
    const job = sampleJob({ lastError: 'branch muster/job could not be brought in: it is checked out' })
    const text = jobSummaryLines(job, [sampleTask({ commit: 'd'.repeat(40) })], display).join('\n')
    expect(text).toContain('branch muster/job could not be brought in: it is checked out')
    expect(text).toContain(`git fetch /srv/m/hubs/${job.projectId}.git muster/job`)
    expect(text).not.toContain('see: git log')
  })

  it('warns that nothing was checked if there were no checks', () => {
    expect(jobSummaryLines(sampleJob({ checks: [] }), [], display).join('\n')).toContain(
      'nothing was checked',
    )
  })
})

describe('the exit code', () => {
  it.each([
    ['completed', 'goal-reached', 0],
    ['completed', 'nothing-left', 0],
    ['completed', 'max-cycles-reached', 1],
    ['completed', 'time-limit-reached', 1],
    ['completed', 'no-progress', 1],
    ['completed', 'goal-doubted', 1],
    ['completed', 'task-completed', 0],
    ['completed', 'task-blocked', 1],
    ['completed', 'task-failed', 1],
    ['cancelled', 'goal-reached', 1],
    ['error', undefined, 1],
  ] as const)('of a job that is %s with reason %s is %i', (status, reason, code) => {
    const { reason: _reason, ...job } = sampleJob({ status })
    expect(exitCodeOfJob(reason === undefined ? job : { ...job, reason })).toBe(code)
  })
})

describe('the footer lines', () => {
  const name = { label: 't1-1', description: 'Fix mean()' }
  const about = { cycle: 1, taskId: SAMPLE_TASK_ID }

  const usage = { type: 'usage', inputTokens: 1, outputTokens: 1 }
  const planned = {
    ...{ id: SAMPLE_TASK_ID, number: 1, description: 'Fix', priority: 'P1' },
    ...{ dependsOn: [], after: [], clauses: [], files: [], successCriteria: [] },
  }

  it('show who works on what, for how long, what was said last, how much is done and its cost', () => {
    const events = [
      sampleEvent('cycle_started', { cycle: 1 }),
      sampleEvent('cycle_tasks_discovered', { cycle: 1, data: { tasks: [planned, planned] } }),
      sampleEvent('task_started', about),
      sampleEvent('agent_message', { ...about, data: { type: 'text', text: 'editing' } }),
      sampleEvent('agent_message', { ...about, data: { ...usage, costUsd: 0.25 } }),
      sampleEvent('agent_message', { ...about, data: { ...usage, costUsd: 0.5 } }),
    ]
    const start = Date.parse(SAMPLE_AT)
    const progress = events.reduce((so, event) => nextProgress(so, event, name), firstProgress(start))
    const lines = footerLines(progress, start + 7_000, { width: 100 }, plain, 'Ctrl-C')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe('cycle 1 · planning · 7s · 0 of 2 landed · $0.75 · Ctrl-C')
    expect(lines[1]).toMatch(/^t1-1 +7s ada Fix mean\(\) +editing$/)
    const done = nextProgress(progress, sampleEvent('task_completed', about), name)
    expect(done).toMatchObject({ active: [], landed: 1 })
  })

  it('leave nothing on the screen that is over', () => {
    const progressAfter = (...events: readonly Parameters<typeof nextProgress>[1][]) =>
      events.reduce((so, event) => nextProgress(so, event, name), firstProgress(0))
    const started = sampleEvent('task_started', about)
    const paused = progressAfter(started, sampleEvent('job_paused', { data: { cycle: 1 } }))
    expect(paused).toMatchObject({ phase: 'paused', active: [] })
    const checking = sampleEvent('base_checking', {
      data: { branch: 'main', commit: 'a', setup: [], checks: ['x'] },
    })
    expect(progressAfter(checking).phase).toBe('checking the base')
  })

  it.each([40, 60, 80, 120])('fit a terminal of %i columns', (width) => {
    const long = { label: 't1-1', description: 'x'.repeat(300) }
    const progress = nextProgress(firstProgress(0), sampleEvent('task_started', about), long)
    for (const line of footerLines(progress, 0, { width }, plain, 'Ctrl-C'))
      expect(line.length).toBeLessThanOrEqual(width)
  })
})

describe('small renderers', () => {
  it('format durations', () => {
    expect([0, 59_999, 65_000, 3_700_000, 200_000_000].map(elapsed)).toEqual([
      '0s',
      '59s',
      '1m05s',
      '1h01m',
      '2d07h',
    ])
  })

  it('align columns by visible width, without escape codes', () => {
    const colour = createPaint(true)
    const [, first, second] = table(
      ['A', 'B'],
      [
        [colour('good', 'yes'), '1'],
        ['no', '2'],
      ],
    )
    expect(first?.endsWith('  1')).toBe(true)
    expect(second).toBe('no   2')
  })

  it('fit a table into a terminal by dropping optional columns and cutting the last one', () => {
    const rows = [['a'.repeat(20), 'b'.repeat(20), 'c'.repeat(40)]]
    const fitted = (columns?: number) => table(['A', 'B', 'C'], rows, { columns, optional: ['B'] })[1]
    expect(fitted()).toHaveLength(84)
    expect(fitted(70)).toBe(`${'a'.repeat(20)}  ${'b'.repeat(20)}  ${'c'.repeat(25)}…`)
    expect(fitted(60)).toBe(`${'a'.repeat(20)}  ${'c'.repeat(37)}…`)
    expect(fitted(40)).toBe(`${'a'.repeat(20)}  ${'c'.repeat(17)}…`)
  })

  it('fit a table by cutting a flexible column between words and continuing the last one below', () => {
    const rows = [['a'.repeat(20), 'waiting for quota until noon', 'one two three four']]
    const [, ...lines] = table(['A', 'B', 'C'], rows, { columns: 50, flexible: ['B'] })
    expect(lines).toEqual([
      `${'a'.repeat(20)}  ${'waiting for…'.padEnd(14)}  one two`,
      `${' '.repeat(38)}three four`,
    ])
  })

  it('show in a list of jobs which limit a job hit', () => {
    const words = (rest: Partial<WireJob>) => jobStanding(sampleJob(rest))
    expect(words({})).toBe('completed')
    expect(words({ reason: 'max-cycles-reached' })).toBe('stopped: max cycles')
    expect(words({ status: 'running', reason: 'budget-reached' })).toBe('running')
  })

  it('leave out suggestions for a task that do not help', () => {
    const suggestion = 'see it with `muster show tsk_1`; the next cycle may plan it again'
    expect(taskSuggestion(suggestion, 'muster diff tsk_1', 'running')).toBe(suggestion)
    expect(taskSuggestion(suggestion, 'muster show tsk_1', 'running')).toBe(
      'the next cycle may plan it again',
    )
    expect(taskSuggestion(suggestion, 'muster show tsk_1', 'completed')).toBeUndefined()
    const denied = 'while the job runs, change its goal; start a new job'
    expect(taskSuggestion(denied, '', 'running')).toBe('while the job runs, change its goal')
    expect(taskSuggestion(denied, '', 'completed')).toBe('start a new job')
  })

  it('show a problem with its reason and what to try', () => {
    const problem = {
      type: 'x',
      exitCode: 1,
      message: 'it broke',
      why: 'a\nb',
      next: 'muster doctor',
    } as const
    expect(problemLines(problem, plain, display.hint)).toEqual([
      'error: it broke',
      '  why: a',
      '       b',
      '  try: muster --home /srv/m doctor',
    ])
  })

  it('colour only terminals, and not with NO_COLOR, --no-color or a dumb terminal', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true })
    expect(wantsColour({ environment: { TERM: 'xterm' } }, terminal, true)).toBe(true)
    expect(wantsColour({ environment: { NO_COLOR: '' } }, terminal, true)).toBe(true)
    expect(wantsColour({ environment: { NO_COLOR: '1' } }, terminal, true)).toBe(false)
    expect(wantsColour({ environment: { TERM: 'dumb' } }, terminal, true)).toBe(false)
    expect(wantsColour({ environment: {} }, terminal, false)).toBe(false)
    expect(wantsColour({ environment: {} }, new PassThrough(), true)).toBe(false)
  })
})
