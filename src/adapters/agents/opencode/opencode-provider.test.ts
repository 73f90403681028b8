import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { providerFixtures, requireDialogue } from '../../../../test/conformance/provider-fixtures.ts'
import { outcomesOf, replayRecording } from '../../../../test/conformance/replay.ts'
import { readModels } from './opencode-models.ts'
import { createOpencodeProvider } from './opencode-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/opencode')

const dialogue = () => requireDialogue(createOpencodeProvider())
const { agent, launch, plan } = providerFixtures(createOpencodeProvider, {
  program: 'opencode',
  transcript: path.join(TRANSCRIPTS, 'hello.jsonl'),
})

describeDialogue('opencode', dialogue, TRANSCRIPTS)

describeAgentProvider('opencode', createOpencodeProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('a recorded turn of OpenCode', () => {
  const eventsIn = (name: string) => replayRecording(dialogue(), TRANSCRIPTS, name)
  const outcomesIn = (name: string) => outcomesOf(eventsIn(name))

  it('ends as limited although the program would retry forever, and the next turn works', () => {
    expect(outcomesIn('rate-limit')).toMatchObject([
      { type: 'limited' },
      { type: 'done', text: 'it goes on' },
    ])
  })

  it("fails with the service's message if the key is invalid", () => {
    expect(outcomesIn('bad-key')).toMatchObject([
      { type: 'unready', cause: 'login', reason: expect.stringContaining('Bad key') },
    ])
  })

  it('ends soon if the model cannot be reached', () => {
    expect(outcomesIn('unreachable')).toMatchObject([{ type: 'unready', cause: 'network' }])
  })

  it('contains no text and no cost from before a resume', () => {
    expect(outcomesIn('resume')).toEqual([{ type: 'done', text: 'I remember.' }])
    const costs = eventsIn('resume').flatMap((event) => (event.type === 'usage' ? (event.costUsd ?? 0) : []))
    expect(costs.every((cost) => cost === 0)).toBe(true)
  })

  it('asks before running a command, but not before writing a file in the tree', () => {
    const questions = eventsIn('ask-allowed').filter((event) => event.type === 'permission-request')
    expect(questions).toMatchObject([{ tool: 'execute' }])
  })
})

describe('the launch of OpenCode', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-opencode-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('starts in the tree, whichever way the program finds its directory', async () => {
    const tree = path.join(directory, 'tree')
    const { command, environment } = await plan(directory)
    expect(command.slice(1)).toEqual(['acp', '--cwd', tree])
    expect(environment).toMatchObject({ PWD: tree })
  })

  it("sets the permissions and keeps the rest of the person's configuration", async () => {
    const asking = (await plan(directory, { permissions: 'ask' })).environment
    expect(parsed(asking, 'OPENCODE_PERMISSION')).toMatchObject({ bash: 'ask', edit: 'allow' })
    const free = (await plan(directory, { permissions: 'bypass' })).environment
    expect(parsed(free, 'OPENCODE_PERMISSION')).toMatchObject({ '*': 'allow' })
    expect(free).not.toHaveProperty('OPENCODE_CONFIG')
  })

  it("uses the tree's instructions but not its settings", async () => {
    const { environment } = await plan(directory)
    expect(environment).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1' })
    const instructions = [path.join(directory, 'tree', 'AGENTS.md')]
    expect(parsed(environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({ instructions })
  })

  it('installs the plugin that reports retries', async () => {
    const { environment, files } = await plan(directory)
    const file = path.join(directory, 'opencode-plugin.js')
    expect(Object.keys(files ?? {})).toEqual([file])
    expect(parsed(environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({
      plugin: [pathToFileURL(file).href],
    })
  })

  it('gives the program on its own screen its prompt', async () => {
    const { command } = await plan(directory, { mode: 'interactive', prompt: '--help me' })
    expect(command).toContain('--prompt=--help me')
  })

  it('starts its own screen for a person, with our tools', async () => {
    const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'secret' }
    const { command, environment } = await plan(directory, {
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

describe('the list of OpenCode models', () => {
  it('contains every line that names a model, without duplicates', () => {
    const output = 'Loading models...\nopenai/gpt-x\nopenrouter/meta/llama\nopenai/gpt-x\n\n'
    expect(readModels(output)).toEqual([
      { id: 'openai/gpt-x', name: 'openai/gpt-x' },
      { id: 'openrouter/meta/llama', name: 'openrouter/meta/llama' },
    ])
  })
})
