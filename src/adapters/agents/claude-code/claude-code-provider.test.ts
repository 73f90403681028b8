import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { providerFixtures } from '../../../../test/conformance/provider-fixtures.ts'
import { createClaudeCodeProvider } from './claude-code-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/claude-code')

const { agent, launch, plan } = providerFixtures(createClaudeCodeProvider, {
  program: 'claude',
  transcript: path.join(TRANSCRIPTS, 'hello.jsonl'),
})

describeAgentProvider('claude-code', createClaudeCodeProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['claude', 'a\0b'] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('the launch of Claude Code', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-claude-code-'))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(directory, { recursive: true, force: true })
  })

  it('uses JSON in both directions and takes permission requests on the same channel', async () => {
    expect((await plan(directory)).command).toEqual(
      expect.arrayContaining([
        path.join(directory, 'tools', 'claude'),
        '-p',
        '--input-format=stream-json',
        '--output-format=stream-json',
        '--permission-prompt-tool=stdio',
      ]),
    )
  })

  it('never asks with bypassed permissions, and otherwise edits without asking', async () => {
    expect((await plan(directory, { permissions: 'bypass' })).command).toContain(
      '--permission-mode=bypassPermissions',
    )
    expect((await plan(directory, { permissions: 'ask' })).command).toContain('--permission-mode=acceptEdits')
  })

  it('claims to be in a sandbox only as root, and only if the program would refuse to start', async () => {
    const user = vi.spyOn(process, 'getuid').mockReturnValue(0)
    expect((await plan(directory, { permissions: 'bypass' })).environment).toMatchObject({ IS_SANDBOX: '1' })
    expect((await plan(directory, { permissions: 'ask' })).environment).not.toHaveProperty('IS_SANDBOX')
    user.mockReturnValue(1000)
    expect((await plan(directory, { permissions: 'bypass' })).environment).not.toHaveProperty('IS_SANDBOX')
  })

  it('names the model unless it is the default', async () => {
    const named = await plan(directory, { agent: agent({ model: 'opus' }) })
    expect(named.command).toContain('--model=opus')
    const unnamed = [await plan(directory), await plan(directory, { agent: agent({ model: 'default' }) })]
    for (const { command } of unnamed) expect(command.join(' ')).not.toContain('--model')
  })

  it('resumes an earlier conversation', async () => {
    expect((await plan(directory, { resume: 'an-id' })).command).toContain('--resume=an-id')
    expect((await plan(directory, { resume: 'an-id', mode: 'interactive' })).command).toContain(
      '--resume=an-id',
    )
  })

  it('gives the program on its own screen its prompt, whatever the prompt begins with', async () => {
    const { command } = await plan(directory, { mode: 'interactive', prompt: '-p is a flag' })
    expect(command.slice(-2)).toEqual(['--', '-p is a flag'])
    expect((await plan(directory, { mode: 'interactive', prompt: ' ' })).command).not.toContain('--')
    const long = await plan(directory, { mode: 'interactive', prompt: 'x'.repeat(200_000) })
    expect(long.command.at(-1)).toMatch(/^Your instructions are in the file \//)
  })

  it('allows our tools without asking and keeps their token in a file', async () => {
    const planned = await plan(directory, { mcp: { url: 'http://127.0.0.1:1/mcp', token: 'a-token' } })
    const file = path.join(directory, 'claude-code-mcp.json')
    expect(planned.command).toEqual(
      expect.arrayContaining([`--mcp-config=${file}`, '--allowedTools=mcp__muster', '--strict-mcp-config']),
    )
    expect(JSON.parse(planned.files?.[file] ?? '')).toEqual({
      mcpServers: {
        muster: {
          type: 'http',
          url: 'http://127.0.0.1:1/mcp',
          alwaysLoad: true,
          headers: { Authorization: 'Bearer a-token' },
        },
      },
    })
  })

  it("starts the agent's own command instead of the program", async () => {
    const { command } = await plan(directory, { agent: agent({ command: ['./../tools/claude', '--debug'] }) })
    expect(command.slice(0, 3)).toEqual([path.join(directory, 'tools', 'claude'), '--debug', '-p'])
  })

  it("prefers the agent's own environment variables", async () => {
    const { environment } = await plan(directory, { agent: agent({ env: { DISABLE_AUTOUPDATER: '0' } }) })
    expect(environment).toMatchObject({
      DISABLE_AUTOUPDATER: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    })
  })

  it("uses the person's own directory for its state if the daemon has one, also in a sandbox", async () => {
    expect(createClaudeCodeProvider().homeVariable).toBe('CLAUDE_CONFIG_DIR')
    const { environment: usual } = await launch(directory)
    const home = { ...usual, HOME: '/home/ada' }
    const enclosed = await plan(directory, { isEnclosed: true, environment: home })
    expect(enclosed).toMatchObject({
      environment: { CLAUDE_CONFIG_DIR: '/home/ada/.claude' },
      copies: [{ from: '/home/ada/.claude.json', to: '/home/ada/.claude/.claude.json' }],
    })
    const environment = { ...home, CLAUDE_CONFIG_DIR: '/srv/claude' }
    const own = await plan(directory, { isEnclosed: true, environment })
    expect(own.environment).toMatchObject({ CLAUDE_CONFIG_DIR: '/srv/claude' })
    expect(own).not.toHaveProperty('copies')
    const vague = { ...home, CLAUDE_CONFIG_DIR: '' }
    expect(await plan(directory, { isEnclosed: true, environment: vague })).toEqual(enclosed)
  })

  it('starts its own screen for a person and asks there', async () => {
    const planned = await plan(directory, { mode: 'interactive', permissions: 'bypass' })
    expect(planned.command.slice(1)).toEqual(['--permission-mode=default'])
    expect(planned.environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS')
  })

  it('reports how to install a missing program', async () => {
    const request = await launch(directory, { environment: { PATH: directory } })
    expect(await createClaudeCodeProvider().plan(request)).toEqual({
      ok: false,
      failure: {
        type: 'program-missing',
        program: 'claude',
        install: 'npm install -g @anthropic-ai/claude-code',
      },
    })
  })
})
