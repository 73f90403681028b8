import { describe, expect, it } from 'vitest'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { USUAL_ROLES } from '../../domain/agent/built-in-roles.ts'
import { chooseReviewer } from './choose-reviewer.ts'

const agent = (name: string, provider: string, fields: Partial<AgentSpec> = {}): AgentSpec => ({
  name,
  provider,
  roles: USUAL_ROLES,
  env: [],
  ...fields,
})
const CLAUDE = agent('claude', 'claude-code')

function reviewerAmong(agents: readonly AgentSpec[], worker = CLAUDE): string | undefined {
  const chosen = chooseReviewer({ agents, configured: agents, roles: {}, passedOver: [] }, 'review', worker)
  return chosen.ok ? chosen.value?.name : undefined
}

describe('the reviewer of a job', () => {
  it('is of another model family than the worker, if there is one', () => {
    const sibling = agent('sibling', 'opencode', { model: 'anthropic/claude-opus-4' })
    const other = agent('other', 'opencode', { model: 'openai/gpt-5' })
    expect(reviewerAmong([CLAUDE, sibling, other])).toBe('other')
    const listing = [sibling, other].map((one) => ({ ...one, roles: ['reviewer'] }))
    expect(reviewerAmong([CLAUDE, ...listing])).toBe('other')
  })

  it('is of another family even if its program is the same', () => {
    const worker = agent('qwen', 'opencode', { model: 'qwen/qwen3-coder' })
    const other = agent('other', 'opencode', { model: 'openai/gpt-5' })
    expect(reviewerAmong([worker, other], worker)).toBe('other')
  })

  it('is another program of the same family rather than the worker itself', () => {
    const sibling = agent('sibling', 'opencode', { model: 'anthropic/claude-opus-4' })
    expect(reviewerAmong([CLAUDE, sibling])).toBe('sibling')
  })

  it('is the worker itself if there is no other agent', () => {
    expect(reviewerAmong([CLAUDE])).toBe('claude')
  })
})
