import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { firstProgress, nextProgress } from '../follow/progress.ts'
import { SAMPLE_TASK_ID, sampleEvent, sampleJob, sampleTask } from '../testing/sample-wire.ts'
import { elapsed } from './elapsed.ts'
import { footerLines } from './footer-lines.ts'
import { exitCodeOfJob, jobSummaryLines } from './job-summary.ts'
import { createPaint, wantsColour } from './paint.ts'
import { problemLines } from './problem-lines.ts'
import { table } from './table.ts'

const plain = createPaint(false)

describe('jobSummaryLines', () => {
  it('tells every task with its reason, the branch, and that the checkout was left alone', () => {
    const tasks = [
      sampleTask({ commit: 'd'.repeat(40) }),
      sampleTask({ number: 2, status: 'blocked', reason: 'conflicts in src/a.mjs' }),
    ]
    const text = jobSummaryLines(sampleJob(), tasks, plain).join('\n')
    expect(text).toContain('completed: goal-reached (2 cycles, 1m05s)')
    expect(text).toContain('t1-1   completed Fix the first thing dddddddddd')
    expect(text).toMatch(/t1-2 {3}blocked .*\n {9}conflicts in src\/a\.mjs/)
    expect(text).toContain('nothing was changed in your checkout; see: git log muster/job')
  })

  it('says out loud that nothing was tested when there were no checks', () => {
    expect(jobSummaryLines(sampleJob({ checks: [] }), [], plain).join('\n')).toContain('nothing was tested')
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
    const start = Date.parse(sampleEvent('').at)
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

  it('show a problem as what, why and what to try', () => {
    const problem = {
      type: 'x',
      exitCode: 1,
      message: 'it broke',
      why: 'a\nb',
      next: 'muster doctor',
    } as const
    expect(problemLines(problem, plain)).toEqual([
      'error: it broke',
      '  why: a',
      '       b',
      '  try: muster doctor',
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
