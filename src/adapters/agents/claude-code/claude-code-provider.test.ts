import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { installReplayAgent } from '../../../../test/support/install-replay-agent.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { createClaudeCodeProvider } from './claude-code-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/claude-code')

function agent(fields: Partial<AgentSpec>): AgentSpec {
  return { name: 'mine', provider: 'claude-code', roles: ['worker'], env: {}, ...fields }
}

async function launch(directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchRequest> {
  const treeDirectory = path.join(directory, 'tree')
  await mkdir(treeDirectory, { recursive: true })
  const tools = await installReplayAgent(directory, 'claude', path.join(TRANSCRIPTS, 'hello.jsonl'))
  return {
    agent: agent({}),
    role: 'worker',
    mode: 'headless',
    permissions: 'bypass',
    sessionDirectory: directory,
    promptFile: path.join(directory, 'prompt.md'),
    treeDirectory,
    environment: { PATH: tools, MUSTER_ROLE: 'worker' },
    ...fields,
  }
}

describeAgentProvider('claude-code', createClaudeCodeProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['claude', 'a\0b'] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('the start of Claude Code', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-claude-code-'))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(directory, { recursive: true, force: true })
  })

  async function plan(fields: Partial<LaunchRequest> = {}): Promise<LaunchPlan> {
    const planned = await createClaudeCodeProvider().plan(await launch(directory, fields))
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    return planned.value
  }

  it('speaks JSON in both directions and lets it ask on the same channel', async () => {
    expect((await plan()).command).toEqual(
      expect.arrayContaining([
        path.join(directory, 'tools', 'claude'),
        '-p',
        '--input-format=stream-json',
        '--output-format=stream-json',
        '--permission-prompt-tool=stdio',
      ]),
    )
  })

  it('waits for nothing when permissions are bypassed, and edits without asking else', async () => {
    expect((await plan({ permissions: 'bypass' })).command).toContain('--permission-mode=bypassPermissions')
    expect((await plan({ permissions: 'ask' })).command).toContain('--permission-mode=acceptEdits')
  })

  it('tells the program of a closed place only as root and only where it would refuse else', async () => {
    const user = vi.spyOn(process, 'getuid').mockReturnValue(0)
    expect((await plan({ permissions: 'bypass' })).environment).toMatchObject({ IS_SANDBOX: '1' })
    expect((await plan({ permissions: 'ask' })).environment).not.toHaveProperty('IS_SANDBOX')
    user.mockReturnValue(1000)
    expect((await plan({ permissions: 'bypass' })).environment).not.toHaveProperty('IS_SANDBOX')
  })

  it('names the model unless it is the default', async () => {
    const named = await plan({ agent: agent({ model: 'opus' }) })
    expect(named.command).toContain('--model=opus')
    const unnamed = [await plan(), await plan({ agent: agent({ model: 'default' }) })]
    for (const { command } of unnamed) expect(command.join(' ')).not.toContain('--model')
  })

  it('goes on with an earlier conversation', async () => {
    expect((await plan({ resume: 'an-id' })).command).toContain('--resume=an-id')
    expect((await plan({ resume: 'an-id', mode: 'interactive' })).command).toContain('--resume=an-id')
  })

  it('reaches our tools without asking, by a file that holds the token', async () => {
    const planned = await plan({ mcp: { url: 'http://127.0.0.1:1/mcp', token: 'a-token' } })
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

  it('takes the command of the agent in place of the program', async () => {
    const { command } = await plan({ agent: agent({ command: ['./../tools/claude', '--debug'] }) })
    expect(command.slice(0, 3)).toEqual([path.join(directory, 'tools', 'claude'), '--debug', '-p'])
  })

  it('lets the agent decide about the environment', async () => {
    const { environment } = await plan({ agent: agent({ env: { DISABLE_AUTOUPDATER: '0' } }) })
    expect(environment).toMatchObject({
      DISABLE_AUTOUPDATER: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    })
  })

  it('opens its own screen for a person, who is asked there', async () => {
    const planned = await plan({ mode: 'interactive', permissions: 'bypass' })
    expect(planned.command.slice(1)).toEqual(['--permission-mode=default'])
    expect(planned.environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS')
  })

  it('says how the program is installed when it is missing', async () => {
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
