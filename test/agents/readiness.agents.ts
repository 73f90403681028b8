import { expect, it } from 'vitest'
import { agentsBin } from '../../scripts/install-agents.ts'
import { createClaudeCodeProvider } from '../../src/adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../../src/adapters/agents/codex/codex-provider.ts'
import { createGeminiProvider } from '../../src/adapters/agents/gemini/gemini-provider.ts'
import type { AgentProvider, Readiness } from '../../src/ports/agent-provider.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** The readiness of a program in a home without any log-in, with these variables. */
async function readinessOf(
  provider: AgentProvider,
  env: Readonly<Record<string, string>>,
): Promise<Readiness | undefined> {
  await using home = await temporaryDirectory('muster-readiness')
  return await provider.readiness?.({
    agent: { name: 'one', provider: provider.providerId, roles: [], env },
    environment: { PATH: `${await agentsBin()}:${process.env['PATH']}`, HOME: home.path },
    treeDirectory: home.path,
  })
}

it.each([createClaudeCodeProvider(), createCodexProvider(), createGeminiProvider()])(
  '$providerId reports that it is not logged in',
  async (provider) => {
    expect(await readinessOf(provider, {})).toMatchObject({ type: 'unready', cause: 'login' })
  },
)

it.each([
  { provider: createClaudeCodeProvider(), env: { ANTHROPIC_API_KEY: 'none' }, type: 'ready' },
  { provider: createGeminiProvider(), env: { GEMINI_API_KEY: 'none' }, type: 'unsure' },
  { provider: createCodexProvider(), env: { OPENAI_BASE_URL: 'http://127.0.0.1:9' }, type: 'unsure' },
])('$provider.providerId may work with a key or an address', async ({ provider, env, type }) => {
  expect(await readinessOf(provider, env)).toEqual({ type })
})
