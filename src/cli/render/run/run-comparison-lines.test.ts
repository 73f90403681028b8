import { expect, it } from 'vitest'
import type { WireRunComparison } from '../../../client/index.ts'
import { runComparisonLines } from './run-comparison-lines.ts'

const COLUMNS = 60
const display = {
  paint: (_: string, text: string) => text,
  hint: (text: string) => text,
  shortId: (id: string) => id,
  columns: COLUMNS,
} as never

it('fits the table of stages into a narrow terminal', () => {
  const run: WireRunComparison['a'] = {
    ...{ id: 'run_1', jobId: 'job_1', playbook: 'development', hash: 'h', goal: '', status: 'ended' },
    ...{ summary: '', durationMs: 1000, activeMs: 1000 },
    cost: { costUsd: 0, inputTokens: 0, outputTokens: 0, unpriced: 0, unpricedSessions: [] },
  }
  const visit = {
    ...{ id: 'vis_1', stage: 'implementation', round: 2, branch: 1, status: 'settled' },
    ...{ outcome: 'NEEDS_REVISION', agent: 'claude-code-opus', durationMs: 65_000, costUsd: 1.25 },
  }
  const comparison: WireRunComparison = {
    ...{ a: run, b: run, changedBy: {} },
    visits: [
      { relation: 'different', a: visit, b: { ...visit, outcome: 'APPROVED' } },
      { relation: 'only-a', a: visit },
    ],
  }
  const lines = runComparisonLines(comparison, display)
  expect(lines.filter((line) => line.length > COLUMNS)).toEqual([])
  expect(lines.some((line) => line.endsWith('  differs'))).toBe(true)
})
