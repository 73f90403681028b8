import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import type { AgentProvider, Readiness } from '../../../ports/agent-provider.ts'
import { createClaudeCodeProvider } from '../claude-code/claude-code-provider.ts'
import { readCodexAnswers } from '../codex/codex-readiness.ts'
import { createGeminiProvider } from '../gemini/gemini-provider.ts'
import { createModelProvider } from '../model/model-provider.ts'

/** The readiness with a program that is this shell script, and a home with these files. */
async function readinessOf(
  provider: AgentProvider,
  { script = '', files = {}, env = {} }: Partial<Surroundings>,
): Promise<Readiness | undefined> {
  await using directory = await temporaryDirectory('muster-readiness')
  const program = path.join(directory.path, 'program')
  await writeFile(program, `#!/bin/sh\n${script}\n`)
  await chmod(program, 0o755)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(directory.path, path.dirname(name)), { recursive: true })
    await writeFile(path.join(directory.path, name), text)
  }
  return await provider.readiness?.({
    agent: { name: 'one', provider: provider.providerId, roles: [], env, command: [program] },
    environment: { PATH: '/usr/bin:/bin', HOME: directory.path },
    treeDirectory: directory.path,
  })
}

type Surroundings = {
  readonly script: string
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

const claudeCode = createClaudeCodeProvider()

/** Prints a version, and for `auth status` whether it is logged in. */
const claude = (version: string, status: string) =>
  `test "$1" = --version && echo "${version} (Claude Code)" || echo '${status}'`

it.each([
  ['{"loggedIn":false,"authMethod":"none"}', { type: 'unready', cause: 'login' }],
  ['{"loggedIn":true}', { type: 'ready' }],
  ['something else', { type: 'unsure' }],
])('of Claude Code is what it answers: %s', async (status, expected) => {
  const readiness = await readinessOf(claudeCode, { script: claude('2.1.325', status) })
  expect(readiness).toMatchObject(expected)
})

it('of an old Claude Code is unknown, and it is not asked, because it would ask its model', async () => {
  const script = claude('2.0.77', '{"loggedIn":false}')
  expect(await readinessOf(claudeCode, { script })).toEqual({ type: 'unsure' })
})

it('of a program that only fails is unknown', async () => {
  expect(await readinessOf(claudeCode, { script: 'exit 3' })).toEqual({ type: 'unsure' })
})

it("sees the agent's own variables", async () => {
  const script = claude('2.1.325', '{"loggedIn":false}').replace('||', '|| test -n "$ANTHROPIC_API_KEY" ||')
  const readiness = await readinessOf(claudeCode, { script, env: { ANTHROPIC_API_KEY: 'key' } })
  expect(readiness).toEqual({ type: 'unsure' })
})

const greeted = { id: 1, result: { userAgent: 'muster/0.166.0 (Debian 12.0.0; x86_64)' } }
const account = (value: unknown, requiresOpenaiAuth: boolean) => ({
  id: 2,
  result: { account: value, requiresOpenaiAuth },
})
const settings = (address?: string) => ({ id: 3, result: { config: { openai_base_url: address ?? null } } })

it.each<readonly [string, readonly unknown[], object]>([
  ['a login', [greeted, account({ type: 'chatgpt' }, true), settings()], { type: 'ready' }],
  ['no login', [greeted, account(null, true), settings()], { type: 'unready', cause: 'login' }],
  ['another provider', [greeted, account(null, false), settings()], { type: 'ready' }],
  ['another address', [greeted, account(null, true), settings('http://127.0.0.1')], { type: 'unsure' }],
  ['no settings', [greeted, account(null, true)], { type: 'unsure' }],
  ['no answer', [], { type: 'unsure' }],
  ['an old version', [{ result: { userAgent: 'muster/0.66.0' } }], { type: 'unready', cause: 'version' }],
])('of Codex follows from its answers: %s', (_, answers, expected) => {
  expect(readCodexAnswers(answers, { agent: 'codex', environment: {} })).toMatchObject(expected)
})

const keyed = (env_key: string, more: object = {}) => ({
  id: 3,
  result: { config: { model_provider: 'own', model_providers: { own: { name: 'own', env_key } }, ...more } },
})

it.each([
  ['a variable that is set', keyed('GATEWAY_KEY'), { GATEWAY_KEY: 'key' }, { type: 'ready' }],
  ['an empty variable', keyed('GATEWAY_KEY'), { GATEWAY_KEY: ' ' }, { type: 'unready', cause: 'login' }],
  [
    'a variable that no agent gets',
    keyed('GATEWAY_KEY'),
    {},
    {
      type: 'unready',
      cause: 'login',
      reason: expect.stringContaining('from GATEWAY_KEY (`env_key`), which its sessions do not get'),
      remedy: 'Set GATEWAY_KEY under `agents.codex.env` in ~/.config/muster/config.yaml',
    },
  ],
  [
    'a known variable that the daemon does not have',
    keyed('OPENROUTER_API_KEY'),
    {},
    { type: 'unready', remedy: 'Set OPENROUTER_API_KEY in your shell and run `muster shutdown`' },
  ],
  ['a profile that may choose another one', keyed('GATEWAY_KEY', { profile: 'work' }), {}, { type: 'ready' }],
  ['no variable', keyed(''), {}, { type: 'ready' }],
])('of Codex depends on the variable that its settings name: %s', (_, configured, environment, expected) => {
  const answers = [greeted, account(null, false), configured]
  expect(readCodexAnswers(answers, { agent: 'codex', environment })).toMatchObject(expected)
})

it.each([
  ['the key of its service', 'anthropic', { ANTHROPIC_API_KEY: 'key' }, { type: 'unsure' }],
  ['no key', 'openai', { ANTHROPIC_API_KEY: 'key' }, { type: 'unready', cause: 'login' }],
  ['a service that needs none', 'openai-compatible', {}, { type: 'unsure' }],
] as const)('of a model depends on its key: %s', async (_, provider, env, expected) => {
  const modelSource = { provider, model: 'large' }
  const agent = { name: 'model-default', provider: 'model', roles: ['reviewer'], env, modelSource }
  const request = { agent, environment: {}, treeDirectory: '/' }
  expect(await createModelProvider().readiness?.(request)).toMatchObject(expected)
})

it('of Gemini is a missing log-in only if there is nothing that could be one', async () => {
  const gemini = createGeminiProvider()
  expect(await readinessOf(gemini, {})).toMatchObject({ type: 'unready', cause: 'login' })
  expect(await readinessOf(gemini, { env: { GEMINI_API_KEY: 'key' } })).toEqual({ type: 'unsure' })
  expect(await readinessOf(gemini, { files: { '.gemini/settings.json': '{}' } })).toEqual({ type: 'unsure' })
})
