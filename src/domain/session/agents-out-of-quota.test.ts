import { describe, expect, it } from 'vitest'
import { findAgentsOutOfQuota } from './agents-out-of-quota.ts'
import { NO_CONVERSATION } from './conversation-state.ts'
import type { Session } from './session.ts'

const NOW = new Date('2026-01-01T12:00:00Z')

function suspended(agentName: string, until: string): Session {
  return {
    id: `ses_${agentName}` as Session['id'],
    purpose: { type: 'attempt', attemptId: 'att_1' as never },
    agentName,
    provider: 'acp',
    role: 'worker',
    mode: 'headless',
    state: { type: 'suspended', why: { type: 'limited', reason: 'quota', until }, hasExited: true },
    processNumber: 1,
    outOffset: 0,
    errOffset: 0,
    conversation: NO_CONVERSATION,
    version: 1,
    createdAt: NOW,
  }
}

describe('agents out of quota', () => {
  it('are those with sessions parked for quota, until the latest of their reset times', () => {
    const limits = findAgentsOutOfQuota(
      [
        suspended('one', '2026-01-01T13:00:00Z'),
        suspended('one', '2026-01-01T14:00:00Z'),
        suspended('two', '2026-01-01T11:00:00Z'),
        { ...suspended('three', ''), state: { type: 'starting' } },
      ],
      NOW,
    )
    expect([...limits]).toEqual([['one', new Date('2026-01-01T14:00:00Z')]])
  })
})
