import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { WireJob } from '../../../contract/job.ts'
import { firstProgress, nextProgress } from '../../follow/progress.ts'
import { createHint } from '../../hint.ts'
import { SAMPLE_AT, SAMPLE_TASK_ID, sampleEvent, sampleJob, sampleTask } from '../../testing/sample-wire.ts'
import { footerLines } from '../live/footer-lines.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import { createPaint, wantsColour } from '../text/paint.ts'
import { problemLines } from '../text/problem-lines.ts'
import { table } from '../text/table.ts'
import { exitCodeOfJob, jobSummaryLines } from './job-summary.ts'
import { jobStanding } from './job-words.ts'

const plain = createPaint(false)
const look: Look = { paint: plain, hint: createHint({ home: '/srv/m' }), home: '/srv/m' }

describe('jobSummaryLines', () => {
  it('tells every task with its reason, the branch, and that the checkout was left alone', () => {
    const tasks = [
      sampleTask({ commit: 'd'.repeat(40) }),
      sampleTask({ number: 2, status: 'blocked', reason: 'conflicts in src/a.mjs' }),
    ]
    const text = jobSummaryLines(sampleJob(), tasks, look).join('\n')
    expect(text).toContain('completed: the goal is reached (2 cycles, 1m05s)')
    expect(text).toContain('t1-1   completed Fix the first thing dddddddddd')
    expect(text).toMatch(/t1-2 {3}blocked .*\n {9}conflicts in src\/a\.mjs/)
    expect(text).toContain(`more: muster --home /srv/m show ${SAMPLE_TASK_ID}`)
    expect(text).toContain('nothing was changed in your checkout; see: git log muster/job')
    expect(text).not.toContain('try:')
  })

  it('says that a budget ended a job though something of it is left', () => {
    const { limits } = sampleJob()
    const job = sampleJob({ reason: 'budget-reached', spentUsd: 0.8, limits: { ...limits, budgetUsd: 1 } })
    const head = (spentUsd: number) => jobSummaryLines({ ...job, spentUsd }, [], look)[1]
    expect(head(0.8)).toContain(
      'stopped at the budget: the $0.20 that is left does not pay for another attempt, 0 of 0 tasks',
    )
    expect(head(1.2)).toContain('stopped at the budget, 0 of 0 tasks')
  })

  it('ends with what to try when a job ran out of something, and says how much landed', () => {
    const errorMessage = 'check "npm test" exited with code 1:\n> npm test\nrunning\nerror: 2 is not 3\n'
    const reason = 'check "npm test" exited with code 1'
    const tasks = [
      sampleTask({ status: 'failed', reason, errorMessage }),
      sampleTask({ number: 2, status: 'skipped' }),
    ]
    const job = sampleJob({ reason: 'max-cycles-reached', currentCycle: 1 })
    const lines = jobSummaryLines(job, tasks, look)
    expect(lines[1]).toBe('stopped at the limit of cycles, 0 of 2 tasks landed (1 cycle, 1m05s)')
    expect(lines).toContain('           error: 2 is not 3')
    expect(lines.at(-1)).toBe(`try: muster --home /srv/m show ${SAMPLE_TASK_ID}`)
  })

  it('leads on to the report, the diff and the merge once something has landed', () => {
    const lines = jobSummaryLines(sampleJob(), [sampleTask({ commit: 'd'.repeat(40) })], look, 'labels')
    expect(lines.at(-1)).toMatch(/: +muster --home \/srv\/m merge job_/)
    expect(jobSummaryLines(sampleJob(), [sampleTask()], look)).not.toContain('next:')
    const named = jobSummaryLines(sampleJob(), [sampleTask({ status: 'failed' })], look, 'labels')
    expect(named.join('\n')).toContain('more: muster --home /srv/m show t1-1')
  })

  it('says that the base branch moved and was not taken in, and why', () => {
    const movedBase = { commit: 'e'.repeat(40), problem: 'conflicts in a.txt' }
    expect(jobSummaryLines(sampleJob({ movedBase }), [], look)).toContain(
      '  main has moved to eeeeeeeeee, which was not taken in: conflicts in a.txt',
    )
  })

  it('says where the work is when it could not be delivered', () => {
    const job = sampleJob({ lastError: 'branch muster/job could not be brought in: it is checked out' })
    const text = jobSummaryLines(job, [sampleTask({ commit: 'd'.repeat(40) })], look).join('\n')
    expect(text).toContain('branch muster/job could not be brought in: it is checked out')
    expect(text).toContain(`git fetch /srv/m/hubs/${job.projectId}.git muster/job`)
    expect(text).not.toContain('see: git log')
  })

  it('says out loud that nothing was tested when there were no checks', () => {
    expect(jobSummaryLines(sampleJob({ checks: [] }), [], look).join('\n')).toContain('nothing was tested')
  })
})

describe('exitCodeOfJob', () => {
  it.each([
    ['completed', 'goal-reached', 0],
    ['completed', 'nothing-left', 0],
    ['completed', 'max-cycles-reached', 1],
    ['completed', 'time-limit-reached', 1],
    ['completed', 'no-progress', 1],
    ['cancelled', 'goal-reached', 1],
    ['error', undefined, 1],
  ] as const)('of a job that is %s by %s is %i', (status, reason, code) => {
    const { reason: _reason, ...job } = sampleJob({ status })
    expect(exitCodeOfJob(reason === undefined ? job : { ...job, reason })).toBe(code)
  })
})

describe('footerLines', () => {
  const name = { label: 't1-1', description: 'Fix mean()' }
  const about = { cycle: 1, taskId: SAMPLE_TASK_ID }

  it('shows what is being worked on, for how long, and what was said last', () => {
    const events = [
      sampleEvent('cycle_started', { cycle: 1 }),
      sampleEvent('cycle_tasks_discovered', { cycle: 1 }),
      sampleEvent('task_started', about),
      sampleEvent('agent_message', { ...about, data: { type: 'text', text: 'editing' } }),
    ]
    const start = Date.parse(SAMPLE_AT)
    const progress = events.reduce((so, event) => nextProgress(so, event, name), firstProgress(start))
    const lines = footerLines(progress, start + 7_000, 100, plain, 'Ctrl-C')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('cycle 1')
    expect(lines[1]).toMatch(/^t1-1 +7s Fix mean\(\) +editing$/)
    const done = nextProgress(progress, sampleEvent('task_completed', about), name)
    expect(done).toMatchObject({ active: [], landed: 1 })
  })

  it('fits a narrow terminal', () => {
    const long = { label: 't1-1', description: 'x'.repeat(300) }
    const progress = nextProgress(firstProgress(0), sampleEvent('task_started', about), long)
    for (const line of footerLines(progress, 0, 60, plain, 'Ctrl-C'))
      expect(line.length).toBeLessThanOrEqual(60)
  })
})

describe('small renderers', () => {
  it('say lengths of time as people do', () => {
    expect([0, 59_999, 65_000, 3_700_000, 200_000_000].map(elapsed)).toEqual([
      '0s',
      '59s',
      '1m05s',
      '1h01m',
      '2d07h',
    ])
  })

  it('line columns up by what is seen, not by escape codes', () => {
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

  it('fit a table into a terminal: without what it can do without, and with its last column cut', () => {
    const rows = [['a'.repeat(20), 'b'.repeat(20), 'c'.repeat(40)]]
    const fitted = (columns?: number) => table(['A', 'B', 'C'], rows, { columns, optional: ['B'] })[1]
    expect(fitted()).toHaveLength(84)
    expect(fitted(60)).toBe(`${'a'.repeat(20)}  ${'b'.repeat(20)}  ${'c'.repeat(15)}…`)
    expect(fitted(40)).toBe(`${'a'.repeat(20)}  ${'c'.repeat(17)}…`)
  })

  it('say in a list of jobs what one ran out of', () => {
    const words = (rest: Partial<WireJob>) => jobStanding(sampleJob(rest))
    expect(words({})).toBe('completed')
    expect(words({ reason: 'max-cycles-reached' })).toBe('stopped: max cycles')
    expect(words({ status: 'running', reason: 'budget-reached' })).toBe('running')
  })

  it('leave out of what helps with a task what does not', () => {
    const suggestion = 'see it with `muster show tsk_1`; the next cycle may plan it again'
    expect(taskSuggestion(suggestion, 'muster diff tsk_1', 'running')).toBe(suggestion)
    expect(taskSuggestion(suggestion, 'muster show tsk_1', 'running')).toBe(
      'the next cycle may plan it again',
    )
    expect(taskSuggestion(suggestion, 'muster show tsk_1', 'completed')).toBeUndefined()
  })

  it('show a problem as what, why and what to try', () => {
    const problem = {
      type: 'x',
      exitCode: 1,
      message: 'it broke',
      why: 'a\nb',
      next: 'muster doctor',
    } as const
    expect(problemLines(problem, plain, look.hint)).toEqual([
      'error: it broke',
      '  why: a',
      '       b',
      '  try: muster --home /srv/m doctor',
    ])
  })

  it('colour only terminals, and not when NO_COLOR, --no-color or a dumb terminal says otherwise', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true })
    expect(wantsColour({ environment: { TERM: 'xterm' } }, terminal, true)).toBe(true)
    expect(wantsColour({ environment: { NO_COLOR: '' } }, terminal, true)).toBe(true)
    expect(wantsColour({ environment: { NO_COLOR: '1' } }, terminal, true)).toBe(false)
    expect(wantsColour({ environment: { TERM: 'dumb' } }, terminal, true)).toBe(false)
    expect(wantsColour({ environment: {} }, terminal, false)).toBe(false)
    expect(wantsColour({ environment: {} }, new PassThrough(), true)).toBe(false)
  })
})
