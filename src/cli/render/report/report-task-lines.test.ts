import { expect, it } from 'vitest'
import type { WireReportTask } from '../../../client/index.ts'
import { createPaint } from '../text/paint.ts'
import { reportTaskLines } from './report-task-lines.ts'

const task: WireReportTask = {
  id: 'tsk_1',
  cycleNumber: 1,
  number: 1,
  description: 'Parse weeks',
  priority: 'P1',
  status: 'completed',
  origin: 'planned',
  clauses: [],
  changes: { files: 1, added: 2, removed: 0 },
  omissions: ["could not open directory 'deep'", 'another'],
  summary: 'done',
  rounds: 0,
  criteria: [],
  attempts: [],
  reviews: [],
  landings: [],
  cost: { costUsd: 0, inputTokens: 0, outputTokens: 0, unpriced: 0, unpricedSessions: [] },
}

it('shows what could not be collected from the tree of a task', () => {
  expect(reportTaskLines(task, new Map(), { paint: createPaint(false) })).toEqual([
    '- t1-1 completed: Parse weeks',
    '  - 1 file changed, +2 -0',
    "  - left out: could not open directory 'deep'; another",
    '  - done',
  ])
})
