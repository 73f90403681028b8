import { expect, it } from 'vitest'
import type { WireRun } from '../../../client/index.ts'
import { createPaint } from '../text/paint.ts'
import { runLines } from './run-lines.ts'

const at = '2026-01-01T00:00:00.000Z'
const visit = (fields: Partial<WireRun['visits'][number]>): WireRun['visits'][number] => ({
  id: 'vis_1',
  ordinal: 1,
  stage: 'implement',
  round: 1,
  branch: 0,
  status: 'settled',
  tries: 1,
  answer: undefined,
  createdAt: at,
  ...fields,
})

const display = { paint: createPaint(false), hint: (text: string) => text, shortId: (id: string) => id }

const exampleRun = (fields: Partial<WireRun>): WireRun => ({
  id: 'run_1',
  jobId: 'job_1',
  taskId: 'tsk_1',
  playbook: 'reviewed',
  hash: 'h',
  inputs: {},
  baseCommit: 'c',
  counters: {},
  status: 'ended',
  progress: 1,
  recoveries: 2,
  visits: [],
  errors: [],
  next: [],
  documents: [],
  createdAt: at,
  ...fields,
})

it('shows the way of a run, and the documents of its result', () => {
  const run = exampleRun({
    end: 'unverified',
    reason: 'review ended with failed',
    visits: [
      visit({ outcome: 'done' }),
      visit({ ordinal: 2, stage: 'try', branch: 2, round: 2, status: 'working' }),
      visit({ ordinal: 3, stage: 'review', outcome: 'failed', tries: 3, problem: 'there is no answer' }),
    ],
    errors: [
      {
        code: 'AGENT_INVALID_OUTPUT',
        category: 'agent',
        severity: 'warning',
        recoverable: true,
        visitId: 'vis_3',
        stage: 'review',
        round: 1,
        branch: 0,
        at,
        message: 'there is no answer',
        action: 'give-up',
        strategy: 'skip',
        because: 'visit',
        recovered: false,
      },
    ],
    next: [
      { purpose: 'read what the agents said', command: 'muster logs run_1' },
      { purpose: 'read the whole report', command: 'muster report job_1' },
    ],
    degradation: {
      level: 'minimal',
      lostRoles: [],
      skippedStages: [],
      notes: ['Nobody judged the result.'],
    },
    documents: [{ name: 'review', text: 'fine\nby me' }],
  })
  expect(runLines(run, display)).toEqual([
    '',
    'run_1 reviewed unverified: review ended with failed',
    '  1 implement: done',
    '  2 try #2 (round 2): working',
    '  3 review: failed, 3 tries: there is no answer',
    '',
    'not as its playbook intends:',
    '  Nobody judged the result.',
    '',
    '1 error, 0 recovered; 2 tries used',
    '  00:00:00 review: there is no answer; gave up because the visit has no tries left, not recovered (AGENT_INVALID_OUTPUT)',
    '',
    'next:',
    '  read what the agents said: muster logs run_1',
    '  read the whole report:     muster report job_1',
    '',
    'review',
    '    fine',
    '    by me',
  ])
})

it('shows a run within another one below the visit that started it', () => {
  const child = exampleRun({
    id: 'run_2',
    parentId: 'vis_1',
    playbook: 'solo',
    status: 'running',
    visits: [visit({ status: 'working' })],
  })
  const run = exampleRun({
    playbook: 'outer',
    status: 'running',
    visits: [visit({ stage: 'build', status: 'running-child' })],
    children: [child],
  })
  expect(runLines(run, display)).toEqual([
    '',
    'run_1 outer running',
    '  1 build: working',
    '    run_2 solo running',
    '      1 implement: working',
  ])
})

it('shows where a stage led that only chooses a route, instead of the number of its case', () => {
  const visits = [
    visit({ stage: 'completeness', outcome: '0' }),
    visit({ ordinal: 2, stage: 'route', outcome: 'else' }),
    visit({ ordinal: 3, stage: 'architecture', status: 'working' }),
  ]
  expect(runLines(exampleRun({ status: 'running', visits }), display).slice(2)).toEqual([
    '  1 completeness -> route',
    '  2 route -> architecture',
    '  3 architecture: working',
  ])
  const ended = exampleRun({ end: 'done', visits: [visit({ stage: 'route', outcome: '1' })] })
  expect(runLines(ended, display)).toContain('  1 route -> end.done')
})
