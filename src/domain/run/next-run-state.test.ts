import { expect, it } from 'vitest'
import type { ApprovalId, VisitId } from '../id.ts'
import { nextRunState } from './next-run-state.ts'
import type { RunState } from './run.ts'

const work = 'vis_1' as VisitId
const question = { end: 'partial', work, approvalId: 'apr_1' as ApprovalId, reason: 'too long' } as const
const asking: RunState = { type: 'asking', ...question }

it('asks about its work once, and ends once', () => {
  expect(nextRunState({ type: 'running' }, { type: 'run-ask', ...question })).toEqual({
    ok: true,
    value: asking,
  })
  expect(nextRunState(asking, { type: 'run-ask', ...question }).ok).toBe(false)
  const ended = nextRunState(asking, { type: 'run-end', end: 'partial', work })
  expect(ended).toEqual({ ok: true, value: { type: 'ended', end: 'partial', work } })
  for (const state of [
    { type: 'ended', end: 'land' },
    { type: 'cancelled', reason: 'r' },
  ] as const) {
    expect(nextRunState(state, { type: 'run-end', end: 'land' }).ok).toBe(false)
    expect(nextRunState(state, { type: 'run-cancel', reason: 'r' }).ok).toBe(false)
  }
})

it('can be cancelled while it runs or asks', () => {
  for (const state of [{ type: 'running' }, asking] as const) {
    const next = nextRunState(state, { type: 'run-cancel', reason: 'the job was cancelled' })
    expect(next).toEqual({ ok: true, value: { type: 'cancelled', reason: 'the job was cancelled' } })
  }
})
