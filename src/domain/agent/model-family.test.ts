import { describe, expect, it } from 'vitest'
import type { AgentSpec } from './agent-spec.ts'
import { familyOf, isOtherFamily, likenessOf } from './model-family.ts'

const agent = (provider: string, model?: string, name = provider): AgentSpec => ({
  name,
  provider,
  roles: ['worker'],
  env: [],
  ...(model === undefined ? {} : { model }),
})

describe('the model family of an agent', () => {
  it.each([
    ['claude-code', 'anthropic'],
    ['codex', 'openai'],
    ['gemini', 'google'],
    ['opencode', undefined],
    ['acp', undefined],
    ['command', undefined],
    ['scripted', undefined],
    ['model', undefined],
  ])('is that of the maker of %s if no model is named: %s', (provider, family) => {
    expect(familyOf(agent(provider))).toBe(family)
  })

  it.each([
    ['anthropic/claude-sonnet-4-5', 'anthropic'],
    ['openrouter/anthropic/claude-opus-4', 'anthropic'],
    ['google-vertex-anthropic/claude-opus-4@20250514', 'anthropic'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'anthropic'],
    ['sonnet[1m]', 'anthropic'],
    ['gpt-5.1-codex', 'openai'],
    ['ft:gpt-4o:google-friends', 'openai'],
    ['o3', 'openai'],
    ['openai/o4-mini', 'openai'],
    ['openai/gpt-oss-120b', 'openai'],
    ['GEMINI-2.5-pro', 'google'],
    ['gemma3:27b', 'google'],
    ['qwen3-coder:480b', 'qwen'],
    ['groq/qwq-32b', 'qwen'],
    ['deepseek-r1-distill-llama-70b', 'deepseek'],
    ['mistral-large-latest', 'mistral'],
    ['devstral-small', 'mistral'],
    ['meta-llama/llama-4-maverick', 'meta'],
    ['xai/grok-4', 'xai'],
    ['moonshotai/kimi-k2', 'moonshot'],
    ['z-ai/glm-4.6', 'zhipu'],
    ['mistralai/a-new-name', 'mistral'],
    ['my-own-model', undefined],
    ['', undefined],
  ])('follows from the model %s: %s', (model, family) => {
    expect(familyOf(agent('opencode', model))).toBe(family)
  })

  it('is that of the model, even in a program of another maker', () => {
    expect(familyOf(agent('claude-code', 'kimi-k2-turbo'))).toBe('moonshot')
    expect(familyOf(agent('codex', 'my-alias'))).toBe('openai')
  })

  it('is that of the service for a plain model whose name says nothing', () => {
    const model = (provider: 'anthropic' | 'openai' | 'openai-compatible', name: string) =>
      familyOf({ ...agent('model'), modelSource: { provider, model: name } })
    expect(model('anthropic', 'new-name')).toBe('anthropic')
    expect(model('openai', 'new-name')).toBe('openai')
    expect(model('openai-compatible', 'new-name')).toBeUndefined()
    expect(model('openai-compatible', 'qwen3')).toBe('qwen')
  })
})

describe('two agents', () => {
  it('are of other families only if both families are known', () => {
    expect(isOtherFamily(agent('claude-code'), agent('codex'))).toBe(true)
    expect(isOtherFamily(agent('claude-code'), agent('opencode', 'anthropic/claude-opus-4'))).toBe(false)
    expect(isOtherFamily(agent('claude-code'), agent('opencode'))).toBe(false)
  })

  it('are ranked by how alike they judge', () => {
    const claude = agent('claude-code')
    const order = [
      agent('codex'),
      agent('opencode'),
      agent('opencode', 'anthropic/claude-opus-4'),
      agent('claude-code', 'opus', 'second'),
      claude,
    ]
    expect(order.map((other) => likenessOf(claude, other))).toEqual([0, 1, 2, 2, 3])
  })
})
