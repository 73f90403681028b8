import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ExampleTask,
  endExampleSession,
  ids,
  storeExampleSession,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { storeExampleRun, storeVisitSession } from '../../../test/support/example-run.ts'
import { rawRequest, statusIn } from '../../../test/support/server/raw-request.ts'
import {
  TOKEN as SECRET,
  startTestServer,
  type TestServer,
} from '../../../test/support/server/test-server.ts'
import { openTestWorld, type TestWorld } from '../../../test/support/server/test-world.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { type TestRepository, testRepository } from '../../../test/support/test-repository.ts'
import type { CommandNeeds } from '../../cli/command-needs.ts'
import * as agentCommands from '../../cli/commands/agent.ts'
import { answerMessage, showMessages } from '../../cli/commands/messages.ts'
import { createOutput } from '../../cli/output.ts'
import type { Outcome } from '../../cli/problem.ts'
import { testSurroundings } from '../../cli/testing/test-surroundings.ts'
import { connectAgent } from '../../client/agent-calls.ts'
import { connect, type MusterClient } from '../../client/index.ts'
import { sessionOfToken, tokenOfSession } from '../../daemon/token.ts'
import type { Session } from '../../domain/session/session.ts'
import { createMessageCommands } from '../../engine/messages/message-commands.ts'
import { createWaitingReaders } from '../../engine/messages/waiting-readers.ts'

const PERSON = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }

let world: TestWorld
let served: TestServer
let repository: TestRepository
let url: string
let people: MusterClient
const printed: string[] = []
let trial: ExampleTask
let worker: Session
let critic: Session

beforeAll(async () => {
  repository = await testRepository({
    'README.md': '# Garden\n',
    '.muster/skills/planting/SKILL.md': '---\nname: planting\ndescription: How to plant\n---\nDig first.\n',
    '.muster/skills/odd name/SKILL.md': 'Not listed.\n',
    '.muster/skills/planting/notes.md': 'More.\n',
  })
  world = await openTestWorld()
  const tell = (name: string) => async () => void printed.push(name)
  const messages = createMessageCommands({
    store: world.store,
    ids,
    feed: world.feed,
    history: world.history,
    clock: { now: () => new Date() },
    log: silentLog,
    redact: (text) => text,
    waitingReaders: createWaitingReaders(),
    awaitedAnswers: new Set(),
    wakeAt: () => undefined,
    onMessage: tell('message'),
    onHandoff: tell('handoff'),
    onComplete: tell('complete'),
    onQuestion: tell('question'),
  })
  served = await startTestServer({
    world,
    needs: { messages, sessionOfToken: (text) => sessionOfToken(SECRET, text) },
  })
  url = served.url
  people = connect({ url, token: SECRET })
})

afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await repository[Symbol.asyncDispose]()
})

beforeEach(async () => {
  printed.length = 0
  trial = await storeExampleTask(world.store, { baseCommit: await repository.git('rev-parse', 'HEAD') })
  worker = await storeExampleSession(world.store, trial)
  critic = await storeExampleSession(world.store, trial, { agentName: 'critic', role: 'reviewer' })
})

/** Imports what was committed, including skills, into the hub. */
async function importRepository(): Promise<void> {
  const source = await world.branches.inspectSource(repository.path)
  if (!source.ok) throw new Error(source.failure.type)
  await world.branches.importBase(trial.job.projectId, source.value, 'main')
}

async function openTools(token: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'an agent', version: '0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }) as never,
  )
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const toolsOf = (session: Session) => openTools(tokenOfSession(SECRET, session.id))

async function callTool(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given })
  const [content] = result.content as readonly { readonly text: string }[]
  return { isError: result.isError === true, data: JSON.parse(content?.text ?? 'null') }
}

describe('the MCP server', () => {
  it('lists its tools with their parameters', async () => {
    await using client = await toolsOf(worker)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'ask',
      'complete',
      'handoff',
      'inbox',
      'progress',
      'read',
      'send',
      'skills',
      'thread',
    ])
    const ask = tools.find(({ name }) => name === 'ask')
    expect(ask?.inputSchema).toMatchObject({
      required: ['question'],
      properties: { wait: { type: 'number' } },
    })
  })

  it('delivers a message from one agent to another, and returns its receipt', async () => {
    await using sender = await toolsOf(worker)
    await using reader = await toolsOf(critic)
    const sent = await callTool(sender, 'send', { to: 'role:reviewer', body: 'please look' })
    expect(sent).toMatchObject({ isError: false, data: { status: 'queued' } })
    const inbox = await callTool(reader, 'inbox')
    expect(inbox.data.messages).toMatchObject([{ id: sent.data.id, from: worker.id, body: 'please look' }])
    expect((await callTool(reader, 'inbox', { acknowledge: [sent.data.id] })).data.messages).toEqual([])
    expect(printed).toEqual(['message'])
  })

  it('accepts progress, completion, handoffs and questions', async () => {
    await using client = await toolsOf(worker)
    expect((await callTool(client, 'progress', { text: 'half', percent: 50 })).data.status).toBe(
      'acknowledged',
    )
    await callTool(client, 'handoff', { summary: 'half' })
    await callTool(client, 'complete', { summary: 'all' })
    expect(printed).toEqual(['handoff', 'complete'])
    const asking = callTool(client, 'ask', { question: 'which?', wait: 20 })
    const question = await waitForQuestion()
    await people.sendMessage({ inReplyTo: question.id, body: 'that one' })
    expect((await asking).data.answer).toMatchObject({ body: 'that one', inReplyTo: question.id })
  })

  it('lists committed skills, and returns one', async () => {
    await importRepository()
    await repository.write({ '.muster/skills/planting/SKILL.md': 'Changed by an agent.\n' })
    await using client = await toolsOf(worker)
    expect((await callTool(client, 'skills')).data).toEqual({
      skills: [{ name: 'planting', description: 'How to plant' }],
    })
    expect((await callTool(client, 'skills', { name: 'planting' })).data.text).toContain('Dig first.')
    for (const name of ['growing', '../../README.md', 'planting/notes.md'])
      expect(await callTool(client, 'skills', { name })).toMatchObject({ isError: true })
  })

  it('reports problems to the model', async () => {
    await using client = await toolsOf(worker)
    const refused = await callTool(client, 'send', { to: 'agent:nobody', body: 'x' })
    expect(refused.isError).toBe(true)
    expect(refused.data.error.message).toContain('agent:critic')
    const large = await callTool(client, 'progress', { text: 'x'.repeat(70_000) })
    expect(large.data.error.message).toContain('the limit is 65536')
  })

  it('shows and accepts only the tools of a role, by every channel', async () => {
    const tools = ['inbox', 'send', 'ask'] as const
    const run = await storeExampleRun(world.store, trial, ['reviewer'], {
      role: { tools },
      stage: { tools: ['inbox', 'send', 'read'] },
    })
    const reviewer = await storeVisitSession(world.store, trial, run, 'reviewer', { stage: 'review' })
    await using client = await toolsOf(reviewer)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inbox', 'send'])
    const message = 'the role "reviewer" may not use progress in the stage "review"; it may use: inbox, send'
    expect(await callTool(client, 'progress', { text: 'half' })).toMatchObject({
      isError: true,
      data: { error: { type: 'tool-not-allowed', message, tools: ['inbox', 'send'] } },
    })
    expect(await callTool(client, 'send', { to: 'person', body: 'x' })).toMatchObject({ isError: false })
    const agent = connectAgent({ url, token: tokenOfSession(SECRET, reviewer.id) })
    expect(await agent.progress({ text: 'half' })).toMatchObject({
      ok: false,
      failure: { type: 'tool-not-allowed', status: 403, message: `Not allowed: ${message}.` },
    })
    expect(await agent.listSent()).toMatchObject({ ok: true, value: { items: { length: 1 } } })
  })

  it('keeps no stream open', async () => {
    const headers = {
      authorization: `Bearer ${tokenOfSession(SECRET, worker.id)}`,
      accept: 'text/event-stream',
    }
    expect((await fetch(`${url}/mcp`, { headers })).status).toBe(405)
    expect((await fetch(`${url}/mcp`, { method: 'DELETE', headers })).status).toBe(405)
  })
})

describe('a token', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const accept = 'application/json, text/event-stream'
  const statusOf = async (path: string, token: string, method = 'POST', more = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept, ...more }
    const body = method === 'POST' ? list : null
    return (await fetch(`${url}${path}`, { method, headers, body })).status
  }

  it('of an agent opens routes for agents and none for people', async () => {
    const token = tokenOfSession(SECRET, worker.id)
    expect(await statusOf('/mcp', token)).toBe(200)
    expect(await statusOf('/api/agent/inbox', token, 'GET')).toBe(200)
    for (const [path, method] of [
      ['/api/messages', 'GET'],
      ['/api/messages', 'POST'],
      ['/api/approvals/apr_1/allow', 'POST'],
      ['/api/agents', 'GET'],
      ['/api/agent', 'GET'],
      ['/mcp/', 'POST'],
      ['//mcp', 'POST'],
    ] as const)
      expect(`${path} ${await statusOf(path, token, method)}`).toBe(`${path} 401`)
    // Sent raw: our client would normalise such paths.
    for (const path of [
      '/api/agent/../approvals/apr_1/allow',
      '/api/agent/%2e%2e/approvals/apr_1/allow',
      '/api/agent/..%2fapprovals%2fapr_1%2fallow',
      '/mcp/../api/approvals/apr_1/allow',
      '/mcp?/../api/messages',
    ]) {
      const { port } = served
      const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close`
      const answer = await rawRequest(port, `POST ${path} HTTP/1.1\r\n${head}\r\nContent-Length: 0\r\n\r\n`)
      expect(answer).not.toContain('"success":true')
      expect(statusIn(answer)).toBeGreaterThanOrEqual(400)
    }
  })

  it('of a person does not open routes for agents, nor does a forged, foreign or old one', async () => {
    const foreign = tokenOfSession('another secret', worker.id)
    const own = tokenOfSession(SECRET, worker.id)
    const forged = own.replace(worker.id, critic.id)
    for (const token of [SECRET, foreign, forged, `${own}0`, worker.id]) {
      expect(await statusOf('/mcp', token)).toBe(401)
      expect(await statusOf('/api/agent/inbox', token, 'GET')).toBe(401)
    }
    await endExampleSession(world.store, worker)
    expect(await statusOf('/mcp', own)).toBe(401)
  })

  it('of a check opens nothing', async () => {
    const purpose = {
      type: 'check',
      candidateId: ids.next('candidate'),
      index: 0,
      command: 'true',
      isFresh: true,
    } as const
    const check = await storeExampleSession(world.store, trial, { purpose, number: 2 })
    expect(await statusOf('/mcp', tokenOfSession(SECRET, check.id))).toBe(401)
  })

  it('does not help a form', async () => {
    const token = tokenOfSession(SECRET, worker.id)
    expect(await statusOf('/mcp', token, 'POST', { 'content-type': 'text/plain' })).toBe(415)
  })
})

describe('people', () => {
  it('read, write and answer', async () => {
    const agent = connectAgent({ url, token: tokenOfSession(SECRET, worker.id) })
    const asked = await agent.ask({ question: 'red or blue?', key: 'q' })
    if (!asked.ok) throw new Error(asked.failure.message)
    const waiting = await people.listMessages({ recipient: 'person', job: trial.job.id, kind: 'question' })
    expect(waiting).toMatchObject({
      ok: true,
      value: { items: [{ body: 'red or blue?', status: 'queued' }] },
    })
    const inReplyTo = asked.value.question.id
    await people.sendMessage({ inReplyTo, body: 'blue' }, { idempotencyKey: 'one' })
    await people.sendMessage({ inReplyTo, body: 'blue' }, { idempotencyKey: 'one' })
    const about = { type: 'status', priority: 'low', subject: 'pace' } as const
    await people.sendMessage({ to: 'agent:one', jobId: trial.job.id, body: 'and hurry', ...about })
    const inbox = await agent.inbox()
    expect(inbox.ok && inbox.value.items.map(({ body }) => body)).toEqual(['blue', 'and hurry'])
    expect(inbox).toMatchObject({ value: { items: [{}, about] } })
    const late = await people.sendMessage({ inReplyTo, body: 'red' })
    expect(late).toMatchObject({ ok: false, failure: { type: 'bad-request' } })
    expect(await people.acknowledgeMessage('msg_nothing')).toMatchObject({
      ok: false,
      failure: { status: 404 },
    })
    expect(await people.listMessages({ session: 'nonsense' })).toMatchObject({ value: { items: [] } })
  })

  it('page through messages', async () => {
    const agent = connectAgent({ url, token: tokenOfSession(SECRET, worker.id) })
    for (const text of ['one', 'two', 'three']) await agent.send({ to: 'person', body: text })
    const first = await people.listMessages({ session: worker.id, limit: 2 })
    if (!first.ok) throw new Error(first.failure.message)
    expect(first.value.items).toHaveLength(2)
    const second = await people.listMessages({ session: worker.id, limit: 2, cursor: first.value.nextCursor })
    expect(second.ok && second.value.items).toHaveLength(1)
    const sent = await agent.listSent()
    expect(sent.ok && sent.value.items).toHaveLength(3)
  })

  it('learn what is missing from their message', async () => {
    const post = (body: unknown) =>
      fetch(`${url}/api/messages`, { method: 'POST', headers: PERSON, body: JSON.stringify(body) })
    expect((await post({ body: 'x' })).status).toBe(400)
    expect((await post({ to: 'person', body: 'x' })).status).toBe(400)
    expect((await post({ to: 'role:worker', body: 'no job' })).status).toBe(400)
    expect((await post({ inReplyTo: 'msg_x', body: 'x' })).status).toBe(404)
  })
})

describe('the agent commands', () => {
  /** Runs a command as in a session's shell, and returns what it printed. */
  async function inSession(
    session: Session | undefined,
    command: (needs: CommandNeeds) => Promise<Outcome>,
    json = false,
  ) {
    const environment =
      session === undefined ? {} : { MUSTER_URL: url, MUSTER_TOKEN: tokenOfSession(SECRET, session.id) }
    const surroundings = testSurroundings({ environment })
    const options = { json, quiet: false, verbose: false, color: false }
    const outcome = await command({
      surroundings,
      options,
      output: createOutput(surroundings, options),
      home: '/nonexistent',
    })
    return { outcome, text: surroundings.stdoutText() }
  }

  it('report what happened', async () => {
    await importRepository()
    const sent = await inSession(worker, (given) =>
      agentCommands.agentSendCommand(given, 'agent:critic', 'look \u001b[31mhere', { subject: 'now' }),
    )
    expect(sent.outcome).toEqual({ ok: true, value: 0 })
    const [id = ''] = sent.text.split(' ')
    const inbox = await inSession(critic, (given) => agentCommands.agentInboxCommand(given, {}))
    expect(inbox.text).toBe(`${id} text from worker (${worker.id}): now\n  look here\n`)
    const reply = await inSession(critic, (given) => agentCommands.agentSendCommand(given, id, 'seen', {}))
    expect(reply.outcome.ok).toBe(true)
    const empty = await inSession(critic, (given) => agentCommands.agentInboxCommand(given, { ack: [id] }))
    expect(empty.text).toBe('no messages\n')
    const skill = await inSession(worker, (given) => agentCommands.agentSkillCommand(given, undefined))
    expect(skill.text).toBe('planting  How to plant\n')
  })

  it('print JSON, and send nothing twice under one key', async () => {
    const report = () =>
      inSession(worker, (given) => agentCommands.agentProgressCommand(given, 'half', { key: 'p' }), true)
    const [one, two] = [await report(), await report()]
    expect(JSON.parse(one.text)).toMatchObject({ success: true, data: { kind: 'progress' } })
    expect(two.text).toBe(one.text)
    await inSession(worker, (given) => agentCommands.agentHandoffCommand(given, 'half', { next: 'rest' }))
    await inSession(worker, (given) =>
      agentCommands.agentCompleteCommand(given, 'all', { answer: '{"done":true}' }),
    )
    expect(printed).toEqual(['handoff', 'complete'])
    expect((await world.store.read.messages.findClaim(worker.id))?.metadata).toEqual({
      answer: { done: true },
    })
  })

  it('refuse to work outside a session, and report problems inside one', async () => {
    const outside = await inSession(undefined, (given) => agentCommands.agentInboxCommand(given, {}))
    expect(outside.outcome).toMatchObject({ ok: false, failure: { type: 'not-in-session', exitCode: 2 } })
    const broken = await inSession(worker, (given) =>
      agentCommands.agentCompleteCommand(given, 'all', { answer: '[]' }),
    )
    expect(broken.outcome).toMatchObject({ ok: false, failure: { exitCode: 2 } })
    await endExampleSession(world.store, worker)
    const over = await inSession(worker, (given) => agentCommands.agentInboxCommand(given, {}))
    expect(over.outcome).toMatchObject({ ok: false, failure: { exitCode: 4 } })
  })

  it('let a person see a question and answer it', async () => {
    const asked = await inSession(worker, (given) => agentCommands.agentAskCommand(given, 'which?', {}))
    const [id = ''] = asked.text.split(' ')
    const shown = await inSession(undefined, (given) =>
      showMessages(given, people, { recipient: 'person', job: trial.job.id }),
    )
    expect(shown.text).toContain(`answer it: muster answer ${id} "..."`)
    const answered = await inSession(undefined, (given) => answerMessage(given, people, id, 'that one'))
    expect(answered.text).toContain(`sent to ${worker.id}`)
    const inbox = await inSession(worker, (given) => agentCommands.agentInboxCommand(given, {}))
    expect(inbox.text).toContain('  that one')
  })
})

async function waitForQuestion() {
  for (;;) {
    const found = await people.listMessages({ session: worker.id, kind: 'question' })
    const [question] = found.ok ? found.value.items : []
    if (question !== undefined) return question
  }
}
