import { describe, expect, it } from 'vitest'
import { findAgentsOutOfQuota } from './agents-out-of-quota.ts'
import type { Session } from './session.ts'
import { NO_TALK } from './talk.ts'

const NOW = new Date('2026-01-01T12:00:00Z')

function resting(agentName: string, until: string): Session {
  return {
    id: `ses_${agentName}` as Session['id'],
    purpose: { type: 'attempt', attemptId: 'att_1' as never },
    agentName,
    provider: 'acp',
    role: 'worker',
    mode: 'headless',
    state: { type: 'suspended', why: { type: 'limited', reason: 'quota', until }, isOver: true },
    life: 1,
    outOffset: 0,
    errOffset: 0,
    talk: NO_TALK,
    version: 1,
    createdAt: NOW,
  }
}

describe('the agents that are out of quota', () => {
  it('are those whose sessions wait for it, until the latest time any of them was told', () => {
    const limits = findAgentsOutOfQuota(
      [
        resting('one', '2026-01-01T13:00:00Z'),
        resting('one', '2026-01-01T14:00:00Z'),
        resting('two', '2026-01-01T11:00:00Z'),
        { ...resting('three', ''), state: { type: 'starting' } },
      ],
      NOW,
    )
    expect([...limits]).toEqual([['one', new Date('2026-01-01T14:00:00Z')]])
  })
})
