import { describe, expect, it } from 'vitest'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { costOf } from './model-price.ts'

const USAGE = { inputTokens: 100_000, outputTokens: 10_000 }
const SONNET: ModelSource = { provider: 'anthropic', model: 'claude-sonnet-4-5' }

describe('the cost of a call', () => {
  it('uses the list price, with or without a date in the model name', () => {
    expect(costOf(SONNET, USAGE)).toBeCloseTo(0.45)
    expect(costOf({ ...SONNET, model: 'claude-sonnet-4-5-20250929' }, USAGE)).toBeCloseTo(0.45)
    expect(costOf({ provider: 'openai', model: 'gpt-5-2025-08-07' }, USAGE)).toBeCloseTo(0.225)
  })

  it('prefers the configured price', () => {
    expect(costOf({ ...SONNET, priceUsd: { input: 1, output: 0 } }, USAGE)).toBeCloseTo(0.1)
  })

  it.each<[string, ModelSource]>([
    ['a model that is not listed', { provider: 'openai', model: 'gpt-5-huge' }],
    ['a name from the prototype', { provider: 'openai', model: 'constructor' }],
    ["another service's model", { provider: 'openai', model: 'claude-sonnet-4-5' }],
    ['an unknown server', { provider: 'openai-compatible', model: 'gpt-5', baseUrl: 'http://h/v1' }],
    ['a service at another address', { ...SONNET, baseUrl: 'https://proxy.example/v1' }],
  ])('is unknown for %s', (_, source) => {
    expect(costOf(source, USAGE)).toBeUndefined()
  })

  it('is unknown for a prompt so long that it has another price', () => {
    expect(costOf(SONNET, { ...USAGE, inputTokens: 200_001 })).toBeUndefined()
  })
})
