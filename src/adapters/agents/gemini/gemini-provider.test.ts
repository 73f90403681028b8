import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
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
import { createGeminiProvider } from './gemini-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/gemini')

function dialogue(): Dialogue {
  const { dialogue: spoken } = createGeminiProvider()
  if (spoken === undefined) throw new Error('it has no dialogue')
  return spoken
}

function agent(fields: Partial<AgentSpec>): AgentSpec {
  return { name: 'mine', provider: 'gemini', roles: ['worker'], env: {}, ...fields }
}

async function launch(directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchRequest> {
  const treeDirectory = path.join(directory, 'tree')
  await mkdir(treeDirectory, { recursive: true })
  const tools = await installReplayAgent(directory, 'gemini', path.join(TRANSCRIPTS, 'hello.jsonl'))
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

describeDialogue('gemini', dialogue, TRANSCRIPTS)

describeAgentProvider('gemini', createGeminiProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('how a recorded turn of Gemini ended', () => {
  function endsIn(name: string) {
    const { events } = replay(dialogue(), readTranscript(path.join(TRANSCRIPTS, `${name}.jsonl`)))
    return events.flatMap((event: AgentEvent) => (event.type === 'turn-end' ? [event.outcome] : []))
  }

  it('is a limit at once when the quota of a day is used up, and the next turn is as any', () => {
    expect(endsIn('rate-limit')).toMatchObject([{ type: 'limited' }, { type: 'done', text: 'it goes on' }])
  })

  it('is a failure with words on the key when that is wrong', () => {
    expect(endsIn('bad-key')).toMatchObject([
      { type: 'failed', reason: expect.stringContaining('GEMINI_API_KEY') },
    ])
  })

  it('has nothing of an earlier life in it after a resume', () => {
    expect(endsIn('resume')).toEqual([{ type: 'done', text: 'I remember.' }])
  })
})

describe('the start of Gemini', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-gemini-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function plan(fields: Partial<LaunchRequest> = {}): Promise<LaunchPlan> {
    const planned = await createGeminiProvider().plan(await launch(directory, fields))
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    return planned.value
  }

  it('waits for nothing when permissions are bypassed, and edits without asking else', async () => {
    expect((await plan({ permissions: 'bypass' })).command).toContain('--approval-mode=yolo')
    expect((await plan({ permissions: 'ask' })).command).toContain('--approval-mode=auto_edit')
  })

  it('names a model only when one is asked for', async () => {
    expect((await plan({ agent: agent({ model: 'flash' }) })).command).toContain('--model=flash')
    expect((await plan()).command.join(' ')).not.toContain('--model')
  })

  it('lets our own tools pass without a question', async () => {
    const { command, files } = await plan({ permissions: 'ask' })
    const policy = path.join(directory, 'gemini-policy.toml')
    expect(command).toContain(`--policy=${policy}`)
    expect(files?.[policy]).toContain('mcpName = "muster"')
  })

  it('goes on with an old conversation on its own screen, where a person answers', async () => {
    const { command } = await plan({ mode: 'interactive', resume: 'an-earlier-one' })
    expect(command).toEqual(expect.arrayContaining(['--approval-mode=default', '--resume=an-earlier-one']))
    expect(command).not.toContain('--acp')
  })
})
