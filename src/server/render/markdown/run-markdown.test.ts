import { expect, it } from 'vitest'
import type { WireRunResult } from '../../../contract/run-summary.ts'
import { runMarkdown } from './run-markdown.ts'

const RESULT: WireRunResult = {
  id: 'run_1',
  jobId: 'job_1',
  taskId: 'tsk_1',
  playbook: 'solo',
  goal: 'Add it',
  inputs: {},
  status: 'running',
  summary: 'It is at work.',
  progress: 0,
  startedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 27_000,
  activeMs: 27_000,
  visits: 0,
  stages: [],
  roles: [],
  artifacts: [],
  findings: [],
  decisions: [],
  documents: [],
  errors: [],
  next: [],
  cost: { costUsd: 0, inputTokens: 0, outputTokens: 0, unpriced: 0, unpricedSessions: [] },
}

it('names the time of work only if it differs from the whole time', () => {
  expect(runMarkdown(RESULT)).toContain('to now: 27 s\n')
  expect(runMarkdown({ ...RESULT, activeMs: 3000 })).toContain('to now: 27 s, of which it worked 3 s\n')
})
