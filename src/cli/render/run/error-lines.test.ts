import { expect, it } from 'vitest'
import type { WireRun } from '../../../client/index.ts'
import { errorTexts } from './error-lines.ts'

type RunError = WireRun['errors'][number]

function error(rest: Partial<RunError> = {}): RunError {
  return {
    ...{ code: 'AGENT_CRASHED', category: 'agent', severity: 'error', visitId: 'vis_1', stage: 'implement' },
    ...{ round: 1, branch: 0, at: '2026-01-02T03:04:05.000Z', message: 'it exited\nwith 65' },
    ...{ action: 'restart', recovered: false },
    ...rest,
  } as RunError
}

it('prints the same reason once, with what was done and a count', () => {
  const errors = [
    ...Array.from({ length: 10 }, () => error()),
    error({ code: 'AGENT_TIMEOUT', message: 'it took too long', stage: 'review' }),
    error({ action: 'give-up', round: 2, at: '2026-01-02T03:04:09.000Z' }),
  ]
  expect(errorTexts(errors)).toEqual([
    '03:04:05 review: it took too long; started the agent again, not recovered (AGENT_TIMEOUT)',
    '03:04:09 implement, implement (round 2): it exited; started the agent again, gave up, not recovered (AGENT_CRASHED, 11 times)',
  ])
})
