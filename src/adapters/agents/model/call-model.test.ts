import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requirePlan } from '../../../../test/conformance/provider-fixtures.ts'
import { type PlanRun, runPlan } from '../../../../test/conformance/run-plan.ts'
import { anthropicWire } from '../../../../test/support/model-server/anthropic-wire.ts'
import { chatWire } from '../../../../test/support/model-server/chat-wire.ts'
import { openEventStream } from '../../../../test/support/model-server/event-stream.ts'
import { type JsonObject, objectOf } from '../../../../test/support/model-server/json-object.ts'
import { responsesWire } from '../../../../test/support/model-server/responses-wire.ts'
import type { Asked } from '../../../../test/support/model-server/wire.ts'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { OUTPUT_SCHEMAS } from '../../../domain/playbook/output-format.ts'
import { PLANNER_ANSWER } from '../../../engine/roles/planner-answer.ts'
import type { LaunchRequest } from '../../../ports/agent-provider.ts'
import { createModelProvider } from './model-provider.ts'

const WIRES = [anthropicWire, responsesWire, chatWire]

/** How the service responds: with a text, an error, a raw event, silence or a broken connection. */
type Turn =
  | { readonly text: string }
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly message?: string
    }
  | { readonly event: unknown }
  | 'silence'
  | 'break'

type Service = AsyncDisposable & { readonly url: string; readonly asked: readonly JsonObject[] }

async function take(turn: Turn | undefined, asked: Asked, response: ServerResponse): Promise<void> {
  const wire = WIRES.find((candidate) => candidate.matches(asked.path))
  if (turn === undefined || wire === undefined) return void response.writeHead(404).end('{}')
  if (turn === 'silence') return
  if (turn === 'break') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return void response.write(': begun\n\n', () => response.destroy())
  }
  if ('event' in turn) {
    openEventStream(response)(turn.event)
    return void response.end()
  }
  if ('text' in turn) {
    const reply = { text: turn.text, calls: [], hang: false }
    await wire.stream(asked, reply, openEventStream(response), () => Promise.resolve())
    return void response.end()
  }
  response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
  response.end(JSON.stringify(wire.error(turn.status, turn.message ?? 'no')))
}

/** A service that responds with one turn after another, in the wire format of the request. The last one repeats. */
async function startService(turns: readonly Turn[]): Promise<Service> {
  const asked: JsonObject[] = []
  const server = createServer(async (request, response) => {
    const body = objectOf(await json(request))
    asked.push(body)
    const turn = turns[Math.min(asked.length, turns.length) - 1]
    await take(turn, { path: request.url ?? '', body }, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const PLAN = { tasks: [{ description: 'Write it', clauses: [1] }], reasoning: 'why', done: false }
const REVIEW = { verdict: 'NEEDS_REVISION', summary: 'nearly', issues: [{ issue: 'no test' }] }

describe('the program that calls a model', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-model-'))
    await writeFile(path.join(directory, 'prompt.md'), 'The goal is to write it.')
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  type Call = {
    readonly source: ModelSource
    readonly answer?: LaunchRequest['answer']
    readonly environment?: Readonly<Record<string, string>>
    readonly timeLimitMs?: number
  }

  async function call({
    source,
    answer = PLANNER_ANSWER,
    environment = {},
    ...options
  }: Call): Promise<PlanRun> {
    const promptFile = path.join(directory, 'prompt.md')
    const request: LaunchRequest = {
      agent: { name: 'm', provider: 'model', roles: ['planner'], env: {}, modelSource: source },
      role: 'planner',
      answer,
      mode: 'headless',
      permissions: 'bypass',
      sessionDirectory: directory,
      promptFile,
      treeDirectory: directory,
      environment: {
        MUSTER_ROLE: 'planner',
        MUSTER_PROMPT_FILE: promptFile,
        ANTHROPIC_API_KEY: 'key-of-anthropic',
        OPENAI_API_KEY: 'key-of-openai',
        ...environment,
      },
    }
    return runPlan(await requirePlan(createModelProvider(options), request), directory)
  }

  const answerOf = (run: PlanRun): unknown => createModelProvider().findAnswer(run.output)
  const usageOf = (run: PlanRun): unknown =>
    run.output
      .split('\n')
      .flatMap((line) => createModelProvider().readLine(line))
      .find((event) => event.type === 'usage')
  const local = (service: Service): ModelSource => ({
    provider: 'openai-compatible',
    model: 'llama',
    baseUrl: service.url,
  })

  it.each(['anthropic', 'openai', 'openai-compatible', 'scripted'] as const)(
    'prints the answer of %s, with missing fields filled in, and its cost',
    async (provider) => {
      await using service = await startService([{ text: JSON.stringify(PLAN) }])
      const source = { provider, model: 'm', baseUrl: service.url, priceUsd: { input: 1_000_000, output: 0 } }
      const run = await call({ source })
      expect(run).toMatchObject({ code: 0, errorOutput: '' })
      const { tasks } = answerOf(run) as { readonly tasks: readonly unknown[] }
      expect(tasks).toEqual([
        {
          description: 'Write it',
          playbook: '',
          inputs: {},
          context: '',
          files: [],
          successCriteria: [],
          priority: 'P1',
          parallel: true,
          dependsOn: [],
          clauses: [1],
        },
      ])
      const usage = usageOf(run) as { readonly inputTokens: number; readonly costUsd: number }
      expect(usage).toMatchObject({ type: 'usage', outputTokens: 20 })
      expect(usage.costUsd).toBe(usage.inputTokens)
      expect(JSON.stringify(service.asked)).toContain('The goal is to write it.')
    },
  )

  it('asks the service to enforce the schema of the role', async () => {
    await using service = await startService([{ text: JSON.stringify(REVIEW) }])
    const run = await call({ source: local(service), answer: OUTPUT_SCHEMAS.review })
    expect(answerOf(run)).toMatchObject({
      ...REVIEW,
      issues: [{ severity: '', location: '', issue: 'no test', suggestion: '' }],
      criteria: [],
    })
    const format = objectOf(objectOf(service.asked[0]?.['response_format'])['json_schema'])
    expect(format).toMatchObject({ strict: true, schema: { additionalProperties: false } })
    expect(objectOf(format['schema'])['required']).toEqual(Object.keys(OUTPUT_SCHEMAS.review.properties))
  })

  it('reports no cost if the price is unknown', async () => {
    await using service = await startService([{ text: JSON.stringify(PLAN) }])
    const run = await call({
      source: { provider: 'anthropic', model: 'claude-opus-5-5', baseUrl: service.url },
    })
    expect(Object.keys(usageOf(run) as object)).toEqual(['type', 'inputTokens', 'outputTokens'])
  })

  it('finds JSON in the text of a server that does not support schemas', async () => {
    const text = `Let me think {about} it.\n\`\`\`json\n${JSON.stringify(PLAN, null, 2)}\n\`\`\`\nGood luck!`
    await using service = await startService([{ status: 400, message: 'response_format?' }, { text }])
    const run = await call({ source: local(service) })
    expect(run).toMatchObject({ code: 0, errorOutput: '' })
    expect(answerOf(run)).toMatchObject({ reasoning: 'why' })
    expect(service.asked.map((body) => 'response_format' in body)).toEqual([true, false])
    expect(JSON.stringify(service.asked[1])).toContain('successCriteria')
  })

  it('reports an invalid answer and its usage', async () => {
    await using service = await startService([{ text: '{"tasks":[{"files":[]}],"done":"soon"}' }])
    const run = await call({ source: local(service) })
    expect(run.code).toBe(1)
    expect(run.errorOutput).toMatch(/is invalid: tasks\[0\]\.description: .*; done: .*\n$/)
    expect(run.errorOutput.trimEnd()).not.toContain('\n')
    expect(usageOf(run)).toMatchObject({ type: 'usage', outputTokens: 20 })
    expect(answerOf(run)).toBeUndefined()
  })

  it('fails if the text contains no answer', async () => {
    await using service = await startService([{ text: 'I would rather not.' }])
    const run = await call({ source: local(service) })
    expect(run).toMatchObject({ code: 1 })
    expect(run.errorOutput).toContain('no JSON object; it starts with: I would rather not.')
  })

  it('retries if the service asks it to wait briefly, but not if it asks for long', async () => {
    const soon = { status: 429, headers: { 'retry-after-ms': '20' } }
    await using patient = await startService([
      soon,
      { status: 529, headers: { 'retry-after': '0' } },
      PLAN_TURN,
    ])
    const run = await call({ source: { provider: 'anthropic', model: 'm', baseUrl: patient.url } })
    expect(run).toMatchObject({ code: 0, errorOutput: '' })
    expect(patient.asked.length).toBe(3)
    expect(run.output).toContain('asking again in 1 s')

    await using late = await startService([{ status: 429, headers: { 'retry-after': '3600' } }])
    const refused = await call({ source: { provider: 'openai', model: 'm', baseUrl: late.url } })
    expect(refused.code).toBe(1)
    expect(refused.errorOutput).toMatch(
      /reports a rate limit or an exhausted quota \(429\).*again at \d{4}-\d\d-\d\dT[\d:]+Z, in 3600 s\n$/,
    )
    expect(late.asked.length).toBe(1)
  })

  it('tries three times and then reports the last reason', async () => {
    await using service = await startService([{ status: 503, headers: { 'retry-after': '0' } }])
    const run = await call({ source: local(service) })
    expect(run.errorOutput).toContain("can't answer now (503)")
    expect(service.asked.length).toBe(3)
  })

  it('does not retry if the account has no credit', async () => {
    const turn = { status: 429, headers: { 'retry-after': '0' }, message: 'insufficient_quota: see billing' }
    await using service = await startService([turn])
    const run = await call({ source: { provider: 'openai', model: 'm', baseUrl: service.url } })
    expect(run.errorOutput).toContain('insufficient_quota: see billing')
    expect(service.asked.length).toBe(1)
  })

  it('retries if an answer breaks off', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    await using service = await startService(['break', { event: overloaded }, PLAN_TURN])
    const run = await call({ source: { provider: 'anthropic', model: 'm', baseUrl: service.url } })
    expect(run).toMatchObject({ code: 0, errorOutput: '' })
    expect(run.output).toContain('Overloaded')
    expect(service.asked.length).toBe(3)
  })

  it('names the variable of a refused key, but never shows the key', async () => {
    await using service = await startService([{ status: 401, message: 'bad key: key-of-anthropic' }])
    const run = await call({ source: { provider: 'anthropic', model: 'm', baseUrl: service.url } })
    expect(run.code).toBe(77)
    expect(run.errorOutput).toContain('refused the key in ANTHROPIC_API_KEY (401): bad key: (key)')
    expect(run.output + run.errorOutput).not.toContain('key-of-anthropic')
    expect(service.asked.length).toBe(1)
  })

  it('names a model that the service does not know', async () => {
    await using service = await startService([{ status: 404, message: 'model not found' }])
    const run = await call({ source: { provider: 'openai', model: 'gpt-0', baseUrl: service.url } })
    expect(run).toMatchObject({ code: 1 })
    expect(run.errorOutput).toContain('does not know the model "gpt-0"')
  })

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
  ] as const)('reports a missing key for %s and names %s', async (provider, variable) => {
    const run = await call({ source: { provider, model: 'm' }, environment: { [variable]: ' ' } })
    expect(run).toMatchObject({ code: 1, output: '' })
    expect(run.errorOutput).toContain(`set ${variable}`)
  })

  it('uses the address in the environment if none is configured', async () => {
    await using service = await startService([PLAN_TURN])
    const environment = { ANTHROPIC_BASE_URL: service.url }
    const run = await call({ source: { provider: 'anthropic', model: 'm' }, environment })
    expect(run).toMatchObject({ code: 0 })
    expect(service.asked.length).toBe(1)
  })

  it('gives up after the time limit if the service does not answer', async () => {
    await using service = await startService(['silence'])
    const run = await call({ source: local(service), timeLimitMs: 300 })
    expect(run).toMatchObject({ code: 1 })
    expect(run.errorOutput).toContain('gave no answer within 0.3 s')
  })

  it('reports the address of an unreachable service', async () => {
    const service = await startService([])
    await service[Symbol.asyncDispose]()
    const run = await call({ source: local(service) })
    expect(run).toMatchObject({ code: 1 })
    expect(run.errorOutput).toContain(`cannot reach openai-compatible (${service.url}): connect ECONNREFUSED`)
  })
})

const PLAN_TURN: Turn = { text: JSON.stringify(PLAN) }
