import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { ApprovalId, VisitId } from '../id.ts'
import { describeRun } from './describe-run.ts'
import type { RunState } from './run.ts'

const playbook = { name: 'reviewed', hash: 'h' }
const work = 'implement-1-0' as VisitId
const describeEnd = (state: RunState, more = {}) =>
  describeRun({ run: { playbook, state }, visits: [], made: 'parses tabs', ...more })

describe('describeRun', () => {
  it('says what a complete run made, and where that landed', () => {
    const landing = { type: 'landed', commit: 'c'.repeat(40), tree: 't' }
    expect(describeEnd({ type: 'ended', end: 'land', work }, { landing })).toBe(
      'The run of reviewed is complete, and its work landed as cccccccccccc. parses tabs.',
    )
  })

  it('says why a run ended otherwise', () => {
    expect(describeEnd({ type: 'ended', end: 'partial', work, reason: 'out of time.' })).toBe(
      'The run of reviewed ended as partial, and its work did not land: out of time. parses tabs.',
    )
    expect(describeEnd({ type: 'ended', end: 'failed', reason: 'nobody can work' })).toBe(
      'The run of reviewed failed: nobody can work.',
    )
    expect(describeEnd({ type: 'cancelled', reason: '' })).toBe(
      'The run of reviewed was cancelled. parses tabs.',
    )
  })

  it('says where a run is, or what it waits for', () => {
    const visits = [exampleVisit({ stage: 'check', state: { type: 'working' } })]
    const running = { run: { playbook, state: { type: 'running' } as const }, visits }
    expect(describeRun(running)).toBe('The run of reviewed is at check.')
    const approvalId = 'apr_1' as ApprovalId
    expect(describeEnd({ type: 'asking', end: 'unverified', work, approvalId, reason: 'no review' })).toBe(
      'The run of reviewed waits for a person to decide about its result, which is unverified: no review. parses tabs.',
    )
  })
})
