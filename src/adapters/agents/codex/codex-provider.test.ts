import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { installReplayAgent } from '../../../../test/support/install-replay-agent.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { LaunchRequest } from '../../../ports/agent-provider.ts'
import { codexDialogue } from './codex-dialogue.ts'
import { listCodexModels } from './codex-models.ts'
import { createCodexProvider } from './codex-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/codex')

function agent(fields: Partial<AgentSpec>): AgentSpec {
  return { name: 'coder', provider: 'codex', roles: ['worker'], env: {}, ...fields }
}

async function launch(directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchRequest> {
  const tools = await installReplayAgent(directory, 'codex', path.join(TRANSCRIPTS, 'answer.jsonl'))
  const treeDirectory = path.join(directory, 'tree')
  await mkdir(treeDirectory, { recursive: true })
  return {
    agent: agent({}),
    role: 'worker',
    sessionDirectory: path.join(directory, 'session'),
    promptFile: path.join(directory, 'prompt.md'),
    treeDirectory,
    environment: { PATH: tools, MUSTER_ROLE: 'worker' },
    mode: 'headless',
    permissions: 'bypass',
    ...fields,
  }
}

describeAgentProvider('codex', createCodexProvider, {
  answering: async (directory) => ({
    request: await launch(directory),
    answer: { tasks: [], done: true, evidence: ['all tests pass'] },
  }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['codex', 'a\0b'] }), field: 'command' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describeDialogue('codex', () => codexDialogue, TRANSCRIPTS)

describe('the start of codex', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-codex-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const wordsOf = async (fields: Partial<LaunchRequest>): Promise<readonly string[]> => {
    const planned = await createCodexProvider().plan(await launch(directory, fields))
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    return planned.value.command.slice(1)
  }

  it('names no model provider, which is the choice of the person', async () => {
    expect((await wordsOf({})).join(' ')).not.toContain('model_provider')
  })

  it('trusts the settings of the tree only where nothing is asked, and leaves no trace of it', async () => {
    const trust = (level: string) => `projects={"${path.join(directory, 'tree')}"={trust_level="${level}"}}`
    expect(await wordsOf({ permissions: 'bypass' })).toContain(trust('trusted'))
    expect(await wordsOf({ permissions: 'ask' })).toContain(trust('untrusted'))
    expect((await wordsOf({ mode: 'interactive', permissions: 'ask' })).join(' ')).not.toContain(
      'trust_level',
    )
  })

  it('offers our tools with the token in a variable, and no question before their use', async () => {
    const mcp = { url: 'http://127.0.0.1:4100/mcp', token: 'secret' }
    const planned = await createCodexProvider().plan(await launch(directory, { mcp }))
    expect(planned).toMatchObject({ ok: true, value: { environment: { MUSTER_TOKEN: 'secret' } } })
    const words = await wordsOf({ mcp })
    expect(words).toContain('mcp_servers.muster.url="http://127.0.0.1:4100/mcp"')
    expect(words).toContain('mcp_servers.muster.bearer_token_env_var="MUSTER_TOKEN"')
    expect(words).toContain('mcp_servers.muster.default_tools_approval_mode="approve"')
  })

  it('shows a person the screen of the conversation to go on with, in the tree, asking as it should', async () => {
    const words = await wordsOf({ mode: 'interactive', resume: 'thread-1', permissions: 'ask' })
    expect(words.slice(0, 2)).toEqual(['resume', 'thread-1'])
    expect(words).toEqual(expect.arrayContaining(['--cd', path.join(directory, 'tree')]))
    expect(words).toEqual(expect.arrayContaining(['--ask-for-approval', 'on-request']))
    expect(await wordsOf({ mode: 'interactive' })).toContain('--dangerously-bypass-approvals-and-sandbox')
  })
})

describe('the models of codex', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-codex-models-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const answering = async (...lines: readonly object[]): Promise<string> => {
    const entries = [
      { dir: 'in', line: '' },
      { dir: 'out', line: JSON.stringify({ id: 1, result: {} }) },
      { dir: 'in', line: '' },
      { dir: 'in', line: '' },
      ...lines.map((line) => ({ dir: 'out', line: JSON.stringify(line) })),
    ]
    const file = path.join(directory, 'models.jsonl')
    await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    return installReplayAgent(directory, 'codex', file)
  }

  it('are those it offers, without the hidden ones', async () => {
    const data = [
      { model: 'large', displayName: 'Large', hidden: false, isDefault: true },
      { model: 'old', displayName: 'Old', hidden: true, isDefault: false },
      { model: 'small', displayName: '', hidden: false, isDefault: false },
    ]
    const tools = await answering({ method: 'warning', params: {} }, { id: 2, result: { data } })
    expect(await listCodexModels(tools)).toEqual([
      { id: 'large', name: 'Large', isDefault: true },
      { id: 'small', name: 'small' },
    ])
  })

  it('are none when it is not there or does not tell', async () => {
    expect(await listCodexModels(directory)).toEqual([])
    expect(await listCodexModels(await answering({ id: 2, error: { code: 1, message: 'no' } }))).toEqual([])
    await writeFile(path.join(directory, 'tools', 'codex'), '#!/bin/sh\necho {; exit 3\n')
    expect(await listCodexModels(path.join(directory, 'tools'))).toEqual([])
  })
})
