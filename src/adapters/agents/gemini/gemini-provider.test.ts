import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { providerFixtures, requireDialogue } from '../../../../test/conformance/provider-fixtures.ts'
import { outcomesOf, replayRecording } from '../../../../test/conformance/replay.ts'
import { createGeminiProvider } from './gemini-provider.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/gemini')

const dialogue = () => requireDialogue(createGeminiProvider())
const { agent, launch, plan } = providerFixtures(createGeminiProvider, {
  program: 'gemini',
  transcript: path.join(TRANSCRIPTS, 'hello.jsonl'),
})

describeDialogue('gemini', dialogue, TRANSCRIPTS)

describeAgentProvider('gemini', createGeminiProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ model: ' ' }), field: 'model' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})

describe('a recorded turn of Gemini', () => {
  const outcomesIn = (name: string) => outcomesOf(replayRecording(dialogue(), TRANSCRIPTS, name))

  it('ends as limited once the daily quota is used up, and the next turn works', () => {
    expect(outcomesIn('rate-limit')).toMatchObject([
      { type: 'limited' },
      { type: 'done', text: 'it goes on' },
    ])
  })

  it('fails and names the variable of an invalid key', () => {
    expect(outcomesIn('bad-key')).toMatchObject([
      { type: 'unready', cause: 'login', remedy: expect.stringContaining('GEMINI_API_KEY') },
    ])
    expect(outcomesIn('not-logged-in')).toMatchObject([{ reason: 'Gemini is not logged in' }])
  })

  it('contains nothing from before a resume', () => {
    expect(outcomesIn('resume')).toEqual([{ type: 'done', text: 'I remember.' }])
  })
})

describe('the launch of Gemini', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-gemini-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('never asks with bypassed permissions, and otherwise edits without asking', async () => {
    expect((await plan(directory, { permissions: 'bypass' })).command).toContain('--approval-mode=yolo')
    expect((await plan(directory, { permissions: 'ask' })).command).toContain('--approval-mode=auto_edit')
  })

  it('names a model only if one is configured', async () => {
    expect((await plan(directory, { agent: agent({ model: 'flash' }) })).command).toContain('--model=flash')
    expect((await plan(directory)).command.join(' ')).not.toContain('--model')
  })

  it('allows our own tools without asking', async () => {
    const { command, files } = await plan(directory, { permissions: 'ask' })
    const policy = path.join(directory, 'gemini-policy.toml')
    expect(command).toContain(`--policy=${policy}`)
    expect(files?.[policy]).toContain('mcpName = "muster"')
  })

  it('gives the program on its own screen its prompt', async () => {
    const { command } = await plan(directory, { mode: 'interactive', prompt: '--help me' })
    expect(command).toContain('--prompt-interactive=--help me')
  })

  it('resumes a conversation on its own screen and asks the person there', async () => {
    const { command } = await plan(directory, { mode: 'interactive', resume: 'an-earlier-one' })
    expect(command).toEqual(expect.arrayContaining(['--approval-mode=default', '--resume=an-earlier-one']))
    expect(command).not.toContain('--acp')
  })
})
