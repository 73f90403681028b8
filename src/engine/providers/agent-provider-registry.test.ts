import { describe, expect, it } from 'vitest'
import type { AgentProvider, Availability } from '../../ports/agent-provider.ts'
import { AgentProviderRegistry } from './agent-provider-registry.ts'
import { ProviderError } from './provider-error.ts'

function provider(providerId: string, availability: Availability): AgentProvider {
  return {
    providerId,
    credentials: [],
    homePaths: [],
    availability: () => Promise.resolve(availability),
    models: () => Promise.resolve([]),
    plan: () => Promise.reject(new Error('nothing is started here')),
    readLine: () => [],
    findAnswer: () => undefined,
  }
}

const here = provider('here', { type: 'available', version: '1' })
const away = provider('away', { type: 'missing', install: 'npm install -g away' })

describe('the registry of agent programs', () => {
  it('lists its providers in the order of registration, and finds each by name', () => {
    const registry = new AgentProviderRegistry([here, away], 'here')
    expect(registry.list()).toEqual(['here', 'away'])
    expect(registry.get('away')).toBe(away)
    expect(registry.get('nobody')).toBeUndefined()
  })

  it('has a default, which can be changed to a registered provider only', () => {
    const registry = new AgentProviderRegistry([here, away], 'here')
    expect(registry.getDefault()).toBe(here)
    registry.setDefault('away')
    expect(registry.getDefault()).toBe(away)
    expect(() => registry.setDefault('nobody')).toThrow(ProviderError)
    expect(registry.getDefault()).toBe(away)
  })

  it('returns an installed provider, or says how to install a missing one', async () => {
    const registry = new AgentProviderRegistry([here, away], 'here')
    await expect(registry.getOrThrow('here')).resolves.toBe(here)
    await expect(registry.getOrThrow('away')).rejects.toMatchObject({
      name: 'ProviderError',
      providerName: 'away',
      message: expect.stringContaining('npm install -g away'),
    })
    await expect(registry.getOrThrow('nobody')).rejects.toThrow('here, away')
  })

  it('replaces a provider with the same name', () => {
    const registry = new AgentProviderRegistry([here], 'here')
    const newer = provider('here', { type: 'available', version: '2' })
    registry.register(newer)
    registry.register(away)
    expect(registry.list()).toEqual(['here', 'away'])
    expect(registry.get('here')).toBe(newer)
  })
})
