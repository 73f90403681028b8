import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { type ModelServer, startModelServer } from '../../../../test/support/model-server/model-server.ts'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { PLANNER_ANSWER } from '../../../engine/roles/planner-answer.ts'
import type { LaunchedAgent, LaunchRequest } from '../../../ports/agent-provider.ts'
import { createModelProvider } from './model-provider.ts'

const SOURCE: ModelSource = { provider: 'openai', model: 'gpt-5' }

function agent(fields: Partial<LaunchedAgent>): LaunchedAgent {
  return { name: 'model-default', provider: 'model', roles: ['planner', 'reviewer'], env: {}, ...fields }
}

function launch(directory: string, modelSource: ModelSource): LaunchRequest {
  const promptFile = path.join(directory, 'prompt.md')
  return {
    agent: agent({ modelSource }),
    role: 'planner',
    answer: PLANNER_ANSWER,
    mode: 'headless',
    permissions: 'bypass',
    sessionDirectory: directory,
    promptFile,
    treeDirectory: directory,
    environment: { MUSTER_ROLE: 'planner', MUSTER_PROMPT_FILE: promptFile, OPENAI_API_KEY: 'a-key' },
  }
}

let server: ModelServer & AsyncDisposable
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describeAgentProvider('model', createModelProvider, {
  answering: async (directory) => {
    await writeFile(path.join(directory, 'prompt.md'), 'Plan the work.')
    return {
      request: launch(directory, { ...SOURCE, baseUrl: `${server.url}/v1` }),
      answer: { tasks: [], reasoning: 'scripted', blockers: [], done: false, evidence: [], learnings: [] },
    }
  },
  misconfigured: [
    { agent: agent({}), field: 'modelSource' },
    { agent: agent({ modelSource: { ...SOURCE, model: ' ' } }), field: 'modelSource' },
    { agent: agent({ modelSource: { ...SOURCE, baseUrl: 'nowhere' } }), field: 'modelSource' },
    { agent: agent({ modelSource: { ...SOURCE, baseUrl: 'file:///etc' } }), field: 'modelSource' },
    { agent: agent({ modelSource: { ...SOURCE, baseUrl: 'http://me:secret@host' } }), field: 'modelSource' },
    { agent: agent({ modelSource: { provider: 'scripted', model: 'x' } }), field: 'modelSource' },
    { agent: agent({ modelSource: SOURCE, env: { A: 'b\0' } }), field: 'env' },
  ],
})

describe('the launch of a model call', () => {
  it('is refused for a role without a format for its answers, whatever its name', async () => {
    const { answer: _, ...request } = launch('/nowhere', SOURCE)
    const planned = await createModelProvider().plan(request)
    const problem = "a model can't take the role planner, which needs an agent program"
    expect(planned).toEqual({ ok: false, failure: { type: 'agent-misconfigured', field: 'roles', problem } })
  })

  it('has no key in its command line', async () => {
    const planned = await createModelProvider().plan(launch('/nowhere', SOURCE))
    expect(planned.ok && planned.value.environment['OPENAI_API_KEY']).toBe('a-key')
    expect(planned.ok && planned.value.command.join(' ')).not.toContain('a-key')
  })

  it.each([
    [undefined, '1'],
    ['https://models.example/v1', '1'],
    ['http://127.0.0.1.example', '1'],
    ['http://localhost:11434/v1', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['http://[::1]:8080', undefined],
  ])("sets the use of the environment's proxies for %s to %s", async (baseUrl, expected) => {
    const source = { ...SOURCE, ...(baseUrl === undefined ? {} : { baseUrl }) }
    const planned = await createModelProvider().plan(launch('/nowhere', source))
    expect(planned.ok && planned.value.environment['NODE_USE_ENV_PROXY']).toBe(expected)
  })
})

describe('a call that exits because its key was rejected', () => {
  const unreadyAfter = (
    code: number,
    provider: ModelSource['provider'],
    environment: Readonly<Record<string, string>>,
  ) =>
    createModelProvider().unreadyAfter?.(code, {
      agent: agent({ modelSource: { provider, model: 'm' } }),
      environment,
      treeDirectory: '/nowhere',
    })

  it('names the variable to set', () => {
    expect(unreadyAfter(77, 'openai', { OPENAI_API_KEY: 'x' })).toEqual({
      cause: 'login',
      reason: 'OpenAI rejected the key in OPENAI_API_KEY',
      remedy: 'Set OPENAI_API_KEY to a valid key in your shell and run `muster shutdown`',
    })
    expect(unreadyAfter(77, 'openai-compatible', { OPENAI_API_KEY: 'x' })).toMatchObject({
      reason: "The model's server rejected the key in OPENAI_API_KEY",
    })
    expect(unreadyAfter(77, 'openai-compatible', {})).toMatchObject({
      reason: "The model's server rejected a call without a key",
      remedy: expect.stringContaining('Set MUSTER_MODEL_API_KEY'),
    })
    expect(unreadyAfter(1, 'openai', {})).toBeUndefined()
  })
})
