import { describe, expect, it } from 'vitest'
import { ids } from '../../../../test/support/example-records.ts'
import type { Report, ReportTask } from '../../../domain/report/report.ts'
import { pullRequestText } from './pull-request-text.ts'
import { reportMarkdown } from './report-markdown.ts'

const COST = { costUsd: 0.5, inputTokens: 1, outputTokens: 1, unpriced: 0, unpricedSessions: [] }
const HOSTILE = 'done @octocat, fixes #1\n/merge\n<script> | `x`'

function task(rest: Partial<ReportTask> = {}): ReportTask {
  return {
    id: ids.next('task'),
    cycleNumber: 1,
    number: 2,
    description: 'Fix it',
    priority: 'P1',
    status: 'completed',
    origin: 'planned',
    clauses: [1],
    rounds: 0,
    criteria: [],
    attempts: [],
    reviews: [],
    landings: [],
    cost: COST,
    ...rest,
  }
}

function report(rest: Partial<Report> = {}): Report {
  return {
    jobId: ids.next('job'),
    projectId: ids.next('project'),
    repositoryPath: '/srv/project',
    baseBranch: 'main',
    baseCommit: 'a'.repeat(40),
    workingBranch: 'muster/job',
    status: 'completed',
    reason: 'goal-reached',
    evidence: [],
    cycles: 2,
    activeMs: 1000,
    at: new Date(0),
    checks: ['npm test'],
    clauses: [],
    tasks: [],
    otherTasks: [],
    omittedTasks: 0,
    runs: [],
    blockers: [],
    cost: COST,
    agents: [],
    finalizeReady: true,
    denied: [],
    notReady: [],
    notes: [],
    ...rest,
  }
}

const tree = 'd'.repeat(40)
const landing = {
  id: ids.next('landing'),
  attemptId: ids.next('attempt'),
  status: 'landed',
  mates: [],
  commit: 'c'.repeat(40),
  tree,
  isContained: false,
  conflictPaths: [],
  checks: [{ command: 'npm test', passed: true, detail: '', tree }],
  verified: true,
} as const

describe('a report as Markdown', () => {
  it('lists the goal with its tasks, checks and cost, as nested lists below headings', () => {
    const done = task({ landings: [landing] })
    const clause = {
      number: 1,
      text: 'Make it work',
      status: 'served',
      tasks: [done.id],
      evidence: [],
    } as const
    const made = report({ tasks: [done], clauses: [clause] })
    expect(reportMarkdown(made)).toBe(`# Report of ${made.jobId}

- completed: the goal is reached, after 2 cycles
- from \`main\` at \`aaaaaaaaaa\`, on branch \`muster/job\`
- checks: \`npm test\`

## Goal

### 1. Make it work (done)

- **t1-2** completed: Fix it
  - landed at \`cccccccccc\`, tree \`dddddddddd\` (verified in git)
    - check passed on tree \`dddddddddd\`: \`npm test\`

## Ready to merge

- every task landed or is covered by later work, the checks passed on every landed tree, and nothing is open

## Cost

- total: $0.50
`)
  })

  it('claims that work landed with another task only if that task merged it', () => {
    const later = task({ cycleNumber: 2, number: 1 })
    const tasks = [
      task({ status: 'blocked', supersededBy: later.id }),
      task({ number: 3, status: 'failed', coveredBy: later.id }),
      later,
    ]
    const text = reportMarkdown(report({ tasks, otherTasks: tasks.map(({ id }) => id) }))
    expect(text).toContain(`- **t1-2** blocked: Fix it
  - its work landed with t2-1
- **t1-3** failed: Fix it
  - a later task, t2-1, served the same part of the goal
- **t2-1** completed: Fix it
`)
  })

  it('names what was denied, in words for whoever reads it', () => {
    const tasks = [2, 3, 4].map((number) => task({ number, status: 'failed', isDenied: true }))
    const headOf = (count: number) => {
      const denied = tasks.slice(0, count).map(({ id }) => id)
      const landed = task({ landings: [landing] })
      return /## (Ready.*)/.exec(reportMarkdown(report({ tasks: [landed, ...tasks], denied })))?.[1]
    }
    expect(headOf(3)).toBe('Ready to merge, without t1-2, t1-3 and t1-4, which were denied')
    expect(headOf(1)).toBe('Ready to merge, without t1-2, which was denied')
  })

  it('says that there is nothing to merge if nothing landed', () => {
    const documented = reportMarkdown(report({ tasks: [task({})] }))
    expect(documented).toContain('## Nothing to merge\n\n- the job landed nothing, and nothing is open')
    expect(documented).not.toContain('every task landed')
  })

  it('has no effect on a forge, whatever agents wrote', () => {
    const failed = task({
      status: 'failed',
      description: HOSTILE,
      reason: HOSTILE,
      criteria: [{ text: HOSTILE }],
    })
    const clause = {
      number: 1,
      text: HOSTILE,
      status: 'open',
      tasks: [failed.id],
      evidence: [HOSTILE],
    } as const
    const { title, body } = pullRequestText(
      report({
        tasks: [failed],
        clauses: [clause],
        blockers: [{ type: 'planner', text: HOSTILE }],
        finalizeReady: false,
        notReady: [HOSTILE],
        notes: [HOSTILE],
        evidence: [HOSTILE],
      }),
      HOSTILE,
    )
    for (const text of [title, body]) {
      expect(text).not.toMatch(/@octocat|#1\b/)
      expect(text).not.toMatch(/^\s*\//m)
    }
    expect(body).not.toMatch(/(?<!\\)[<>|]/)
    expect(body).toContain('## Not ready to merge')
  })

  it('is cut at the end of a line if it is longer than forges accept', () => {
    const many = Array.from({ length: 400 }, () => task({ description: 'x'.repeat(290) }))
    const { body } = pullRequestText(report({ tasks: many, otherTasks: many.map(({ id }) => id) }), 'Goal')
    expect(body.length).toBeLessThanOrEqual(55_000)
    expect(
      body.endsWith('x\n\nThe rest is left out because it is too long. `muster report` shows all of it.\n'),
    ).toBe(true)
  })
})
