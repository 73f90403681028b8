import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { providerFixtures } from '../../../../test/conformance/provider-fixtures.ts'
import { installReplayAgent } from '../../../../test/support/install-replay-agent.ts'
import type { LaunchRequest } from '../../../ports/agent-provider.ts'
import { codexDialogue } from './codex-dialogue.ts'
import { listCodexModels } from './codex-models.ts'
import { createCodexProvider } from './codex-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/codex')

const { agent, launch, plan } = providerFixtures(createCodexProvider, {
  program: 'codex',
  transcript: path.join(TRANSCRIPTS, 'answer.jsonl'),
})

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

describe('the launch of Codex', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-codex-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const argumentsFor = async (fields: Partial<LaunchRequest>): Promise<readonly string[]> =>
    (await plan(directory, fields)).command.slice(1)

  it('leaves the choice of a model provider to the person', async () => {
    expect((await argumentsFor({})).join(' ')).not.toContain('model_provider')
  })

  it("trusts the tree's settings only with bypassed permissions", async () => {
    const trust = (level: string) => `projects={"${path.join(directory, 'tree')}"={trust_level="${level}"}}`
    expect(await argumentsFor({ permissions: 'bypass' })).toContain(trust('trusted'))
    expect(await argumentsFor({ permissions: 'ask' })).toContain(trust('untrusted'))
    expect((await argumentsFor({ mode: 'interactive', permissions: 'ask' })).join(' ')).not.toContain(
      'trust_level',
    )
  })

  it('allows our tools without asking and passes their token in a variable', async () => {
    const mcp = { url: 'http://127.0.0.1:4100/mcp', token: 'secret' }
    expect(await plan(directory, { mcp })).toMatchObject({ environment: { MUSTER_TOKEN: 'secret' } })
    const words = await argumentsFor({ mcp })
    expect(words).toContain('mcp_servers.muster.url="http://127.0.0.1:4100/mcp"')
    expect(words).toContain('mcp_servers.muster.bearer_token_env_var="MUSTER_TOKEN"')
    expect(words).toContain('mcp_servers.muster.default_tools_approval_mode="approve"')
  })

  it('gives the program on its own screen its prompt', async () => {
    const words = await argumentsFor({ mode: 'interactive', resume: 'thread-1', prompt: '--help me' })
    expect(words.slice(-2)).toEqual(['--', '--help me'])
  })

  it('resumes a conversation on its own screen, in the tree, with the configured permissions', async () => {
    const words = await argumentsFor({ mode: 'interactive', resume: 'thread-1', permissions: 'ask' })
    expect(words.slice(0, 2)).toEqual(['resume', 'thread-1'])
    expect(words).toEqual(expect.arrayContaining(['--cd', path.join(directory, 'tree')]))
    expect(words).toEqual(expect.arrayContaining(['--ask-for-approval', 'on-request']))
    expect(await argumentsFor({ mode: 'interactive' })).toContain(
      '--dangerously-bypass-approvals-and-sandbox',
    )
  })
})

describe('the list of Codex models', () => {
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

  it('leaves out hidden models', async () => {
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

  it('is empty if the program is missing or fails', async () => {
    expect(await listCodexModels(directory)).toEqual([])
    expect(await listCodexModels(await answering({ id: 2, error: { code: 1, message: 'no' } }))).toEqual([])
    await writeFile(path.join(directory, 'tools', 'codex'), '#!/bin/sh\necho {; exit 3\n')
    expect(await listCodexModels(path.join(directory, 'tools'))).toEqual([])
  })
})
