import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { agentsBin } from '../../scripts/install-agents.ts'
import { createClaudeCodeProvider } from '../../src/adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../../src/adapters/agents/codex/codex-provider.ts'
import { createGeminiProvider } from '../../src/adapters/agents/gemini/gemini-provider.ts'
import type { AgentProvider, Readiness } from '../../src/ports/agent-provider.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** The readiness of a program in a home without any log-in, with these variables and files. */
async function readinessOf(
  provider: AgentProvider,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<Readiness | undefined> {
  await using home = await temporaryDirectory('muster-readiness')
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.path, file)), { recursive: true })
    await writeFile(join(home.path, file), text)
  }
  return await provider.readiness?.({
    agent: { name: 'one', provider: provider.providerId, roles: [], env },
    environment: { PATH: `${await agentsBin()}:${process.env['PATH']}`, HOME: home.path, TMPDIR: home.path },
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

it('codex reports that it lacks the key that its settings name', async () => {
  const settings = `model_provider = "own"

[model_providers.own]
name = "own"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "OWN_KEY"
`
  const files = { '.codex/config.toml': settings }
  const without = await readinessOf(createCodexProvider(), {}, files)
  expect(without).toMatchObject({ type: 'unready', reason: expect.stringContaining('OWN_KEY') })
  expect(await readinessOf(createCodexProvider(), { OWN_KEY: 'none' }, files)).toEqual({ type: 'ready' })
})
