import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { replay } from '../../../../test/conformance/replay.ts'
import { installReplayAgent } from '../../../../test/support/install-replay-agent.ts'
import { readTranscript } from '../../../../test/support/transcript.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import type { Dialogue } from '../../../ports/dialogue.ts'
import { readModels } from './opencode-models.ts'
import { createOpencodeProvider } from './opencode-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/opencode')

function dialogue(): Dialogue {
  const { dialogue: spoken } = createOpencodeProvider()
  if (spoken === undefined) throw new Error('it has no dialogue')
  return spoken
}

function agent(fields: Partial<AgentSpec>): AgentSpec {
  return { name: 'mine', provider: 'opencode', roles: ['worker'], env: {}, ...fields }
}

async function launch(directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchRequest> {
  const treeDirectory = path.join(directory, 'tree')
  await mkdir(treeDirectory, { recursive: true })
  const tools = await installReplayAgent(directory, 'opencode', path.join(TRANSCRIPTS, 'hello.jsonl'))
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

describeDialogue('opencode', dialogue, TRANSCRIPTS)

describeAgentProvider('opencode', createOpencodeProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('how a recorded turn of OpenCode ended', () => {
  function eventsIn(name: string): readonly AgentEvent[] {
    return replay(dialogue(), readTranscript(path.join(TRANSCRIPTS, `${name}.jsonl`))).events
  }

  function endsIn(name: string) {
    return eventsIn(name).flatMap((event) => (event.type === 'turn-end' ? [event.outcome] : []))
  }

  it('is a limit although the program itself would wait for ever, and the next turn is as any', () => {
    expect(endsIn('rate-limit')).toMatchObject([{ type: 'limited' }, { type: 'done', text: 'it goes on' }])
  })

  it('is a failure in the words of the service when the key is wrong', () => {
    expect(endsIn('bad-key')).toMatchObject([{ type: 'failed', reason: expect.stringContaining('Bad key') }])
  })

  it('has nothing of an earlier life in it after a resume, and none of its cost', () => {
    expect(endsIn('resume')).toEqual([{ type: 'done', text: 'I remember.' }])
    const costs = eventsIn('resume').flatMap((event) => (event.type === 'usage' ? (event.costUsd ?? 0) : []))
    expect(costs.every((cost) => cost === 0)).toBe(true)
  })

  it('asks before it runs a command, and not before it writes a file in the tree', () => {
    const questions = eventsIn('ask-allowed').filter((event) => event.type === 'permission-request')
    expect(questions).toMatchObject([{ tool: 'execute' }])
  })
})

describe('the start of OpenCode', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-opencode-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function plan(fields: Partial<LaunchRequest> = {}): Promise<LaunchPlan> {
    const planned = await createOpencodeProvider().plan(await launch(directory, fields))
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    return planned.value
  }

  it('is in the tree by every way in which the program looks for it', async () => {
    const tree = path.join(directory, 'tree')
    const { command, environment } = await plan()
    expect(command.slice(1)).toEqual(['acp', '--cwd', tree])
    expect(environment).toMatchObject({ PWD: tree })
  })

  it('sets what is asked for and leaves the rest of the configuration to the person', async () => {
    const asking = (await plan({ permissions: 'ask' })).environment
    expect(parsed(asking, 'OPENCODE_PERMISSION')).toMatchObject({ bash: 'ask', edit: 'allow' })
    const free = (await plan({ permissions: 'bypass' })).environment
    expect(parsed(free, 'OPENCODE_PERMISSION')).toMatchObject({ '*': 'allow' })
    expect(free).not.toHaveProperty('OPENCODE_CONFIG')
  })

  it("takes the tree's instructions and none of its settings", async () => {
    const { environment } = await plan()
    expect(environment).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1' })
    const instructions = [path.join(directory, 'tree', 'AGENTS.md')]
    expect(parsed(environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({ instructions })
  })

  it('brings the extension that tells of retries', async () => {
    const { environment, files } = await plan()
    const file = path.join(directory, 'opencode-plugin.js')
    expect(Object.keys(files ?? {})).toEqual([file])
    expect(parsed(environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({
      plugin: [pathToFileURL(file).href],
    })
  })

  it('shows its own screen to a person, with our tools', async () => {
    const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'secret' }
    const { command, environment } = await plan({
      mode: 'interactive',
      resume: 'ses_1',
      mcp,
      agent: agent({ model: 'a/b' }),
    })
    expect(command.slice(1)).toEqual([path.join(directory, 'tree'), '--model=a/b', '--session=ses_1'])
    expect(parsed(environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({
      mcp: { muster: { url: mcp.url, headers: { Authorization: 'Bearer secret' } } },
    })
  })
})

function parsed(environment: Readonly<Record<string, string>>, name: string): unknown {
  return JSON.parse(environment[name] ?? '')
}

describe('the models of OpenCode', () => {
  it('are those lines that name one, each once', () => {
    const output = 'Loading models...\nopenai/gpt-x\nopenrouter/meta/llama\nopenai/gpt-x\n\n'
    expect(readModels(output)).toEqual([
      { id: 'openai/gpt-x', name: 'openai/gpt-x' },
      { id: 'openrouter/meta/llama', name: 'openrouter/meta/llama' },
    ])
  })
})
