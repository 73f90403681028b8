import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ExampleTask,
  endExampleSession,
  exampleChange,
  exampleMessage,
  ids,
  storeExampleSession,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { createFolderOutbox } from '../../adapters/outbox/folder/folder-outbox.ts'
import { createAuditChain } from '../../adapters/store/postgres/audit-chain.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresFeed, type PostgresFeed } from '../../adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import { parseMessageRequest } from '../../contract/message.ts'
import { NO_AUDIT } from '../../domain/audit/audit-heads.ts'
import type { JobId, SessionId } from '../../domain/id.ts'
import type { MessageRequest } from '../../domain/message/message-request.ts'
import { SecretSet } from '../../domain/redaction/redact.ts'
import { secretOf } from '../../domain/redaction/secret.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { PurposeOf } from '../../domain/session/session-purpose.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineSettings } from '../engine-needs.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { failUnreadMessages } from '../receipts/fail-messages.ts'
import { answerQuestion } from './answer-question.ts'
import { askQuestion } from './ask-question.ts'
import { collectOutbox } from './collect-outbox.ts'
import { createMessageCommands, type MessageCommands } from './message-commands.ts'
import type { MessageNeeds } from './message-needs.ts'
import { createWaitingReaders } from './waiting-readers.ts'

const KEY = 'sk-ant-api03-7hGkL29qZ'
let database: Kysely<Database>
let feed: PostgresFeed
let store: Store
let needs: MessageNeeds
let commands: MessageCommands
let trial: ExampleTask
let worker: Session
const PERSONAL: PurposeOf<'personal'> = {
  type: 'personal',
  projectId: ids.next('project'),
  repositoryPath: '/nowhere',
  baseCommit: 'a'.repeat(40),
  branch: 'muster/mine',
  agent: { name: 'one', provider: 'command', roles: [], env: [] },
  sandbox: USUAL_SANDBOX,
  prompt: '',
}
/** What the runtime was asked to do, in order. */
const calls: string[] = []
const alarms: { readonly at: Date; readonly work: Work }[] = []
let failing = false

beforeAll(async () => {
  const connection = { ...(await createTestDatabase()) }
  database = openDatabase(connection, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  feed = createPostgresFeed({ database, connection, onLost: () => undefined })
  await feed.start()
  const tell = async (text: string) => {
    if (failing) throw new Error('the runtime is unavailable')
    calls.push(text)
  }
  needs = {
    store,
    feed,
    ids,
    clock: { now: () => new Date() },
    log: silentLog,
    redact: new SecretSet([secretOf('KEY', KEY)]).redact,
    waitingReaders: createWaitingReaders(),
    awaitedAnswers: new Set(),
    wakeAt: (at, work) => alarms.push({ at, work }),
    onMessage: (readers) => tell(`nudge ${readers.join(' ')}`),
    onHandoff: (sessionId, note) => tell(`handoff ${sessionId} ${JSON.stringify(note)}`),
    onComplete: (sessionId) => tell(`complete ${sessionId}`),
    onQuestion: (question, predecessor) => tell(`question ${question.id} ${predecessor}`),
  }
  const history = { listFiles: () => Promise.resolve([]), readFile: () => Promise.resolve(undefined) }
  commands = createMessageCommands({ ...needs, history })
})

afterAll(async () => {
  await feed.close()
  await database.destroy()
})

beforeEach(async () => {
  calls.length = 0
  alarms.length = 0
  failing = false
  trial = await storeExampleTask(store)
  worker = await storeExampleSession(store, trial)
})

function session(fields: Partial<Session> & { readonly number?: number }): Promise<Session> {
  return storeExampleSession(store, trial, fields)
}

async function post(from: Session, message: MessageRequest) {
  const posted = await commands.agents.post(from.id, message)
  if (!posted.ok) throw new Error(JSON.stringify(posted.failure))
  return posted.value
}

async function bodiesFor(reader: Session): Promise<readonly string[]> {
  const inbox = await commands.agents.inbox(reader.id)
  if (!inbox.ok) throw new Error(inbox.failure.type)
  return inbox.value.map(({ body }) => body)
}

async function eventTypes(jobId: JobId): Promise<readonly string[]> {
  return (await feed.read(jobId, 0, 1000)).map(({ type }) => type)
}

async function stateOf(id: Parameters<Store['read']['messages']['find']>[0]) {
  return (await store.read.messages.find(id))?.state
}

describe('a message', () => {
  it('reaches its recipient with a receipt for each step, and is shown again until acknowledged', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const sent = await post(worker, { type: 'send', to: critic.id, subject: 'look', body: 'at this' })
    expect(sent.state).toEqual({ type: 'queued' })
    expect(calls).toEqual([`nudge ${critic.id}`])
    expect(await bodiesFor(critic)).toEqual(['at this'])
    expect(await stateOf(sent.id)).toEqual({ type: 'delivered', to: critic.id })
    expect(await bodiesFor(critic)).toEqual(['at this'])
    expect((await commands.agents.acknowledge(critic.id, [sent.id])).ok).toBe(true)
    expect((await commands.agents.acknowledge(critic.id, [sent.id])).ok).toBe(true)
    expect(await stateOf(sent.id)).toEqual({ type: 'acknowledged', by: critic.id })
    expect(await bodiesFor(critic)).toEqual([])
    expect(await eventTypes(trial.job.id)).toEqual([
      'message_sent',
      'message_delivered',
      'message_acknowledged',
    ])
    const [event] = await feed.read(trial.job.id, 0, 1)
    expect(event).toMatchObject({ taskId: trial.task.id, sessionId: worker.id, cycle: 1 })
    const audit = await createAuditChain(database).check({ from: NO_AUDIT, remembered: [] })
    expect(audit.breaks).toEqual([])
  })

  it('is stored once when it is sent several times with the same key', async () => {
    const message: MessageRequest = { type: 'send', to: 'person', body: 'hello', key: 'once' }
    const receipts = await Promise.all([1, 2, 3, 4].map(() => post(worker, message)))
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    const other = await session({ agentName: 'critic', role: 'reviewer' })
    expect((await post(other, message)).id).not.toBe(receipts[0]?.id)
  })

  it('goes to the first session of a role that reads it, never to its sender, and to the next if that session ends', async () => {
    const one = await session({ agentName: 'critic', role: 'reviewer' })
    const two = await session({ agentName: 'critic', role: 'reviewer' })
    await post(one, { type: 'send', to: 'role:reviewer', body: 'who looks?' })
    expect(calls).toEqual([`nudge ${two.id}`])
    expect(await bodiesFor(one)).toEqual([])
    expect(await bodiesFor(two)).toEqual(['who looks?'])
    const three = await session({ agentName: 'critic', role: 'reviewer' })
    expect(await bodiesFor(three)).toEqual([])
    await endExampleSession(store, two)
    expect(await bodiesFor(three)).toEqual(['who looks?'])
  })

  it('waits for a session of its agent that does not exist yet', async () => {
    await post(worker, { type: 'send', to: 'agent:critic', body: 'when you come' })
    expect(calls).toEqual([])
    expect(await bodiesFor(await session({ agentName: 'critic', role: 'reviewer' }))).toEqual([
      'when you come',
    ])
  })

  it('is delivered in the order of sending', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const bodies = Array.from({ length: 15 }, (_, index) => `message ${index}`)
    for (const body of bodies) await post(worker, { type: 'send', to: critic.id, body })
    expect(await bodiesFor(critic)).toEqual(bodies)
  })

  it('fails if its session ends without reading it', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const own = await post(worker, { type: 'send', to: critic.id, body: 'for you' })
    const shared = await post(worker, { type: 'send', to: 'role:reviewer', body: 'for any' })
    await store.transact((records) => failUnreadMessages(records, critic.id, new Date()))
    expect(await stateOf(own.id)).toMatchObject({ type: 'failed' })
    expect(await stateOf(shared.id)).toEqual({ type: 'queued' })
  })

  it('to an agent or a role fails when its job ends, and at once after that', async () => {
    const queued = await post(worker, { type: 'send', to: 'agent:critic', body: 'when you come' })
    const read = await post(worker, { type: 'send', to: 'role:reviewer', body: 'for any' })
    expect(await bodiesFor(await session({ agentName: 'other', role: 'reviewer' }))).toEqual(['for any'])
    const toPerson = await post(worker, { type: 'send', to: 'person', body: 'for you' })
    await cancelJob({ ...needs, settings: {} as EngineSettings }, trial.job.id, 'enough')
    expect(await stateOf(queued.id)).toMatchObject({
      type: 'failed',
      reason: 'the job ended before anyone read the message',
    })
    expect(await stateOf(read.id)).toMatchObject({ type: 'failed' })
    expect(await stateOf(toPerson.id)).toEqual({ type: 'queued' })
    expect((await eventTypes(trial.job.id)).at(-1)).toBe('job_cancelled')
    const over = { ok: false, failure: { type: 'job-over', recipient: 'agent:critic' } }
    expect(
      await commands.people.send({ to: 'agent:critic', jobId: trial.job.id, body: 'anyone there?' }),
    ).toEqual(over)
  })

  it('replaces characters that the database cannot store', async () => {
    const sent = await post(worker, {
      type: 'send',
      to: 'person',
      body: 'a\0b\ud800c',
      metadata: { odd: '\0\ud800' },
    })
    expect((await store.read.messages.find(sent.id))?.body).toBe('a\ufffdb\ufffdc')
  })
})

describe('a secret in a message', () => {
  it.each([10, 189, 289, 489, 1_989])('is gone, even where a limit cuts it, %i characters in', async (at) => {
    const text = `${'.'.repeat(at)}${KEY}${'.'.repeat(50)}`
    const sent = { type: 'send', to: 'person', subject: text, body: text, key: text } as const
    const made = [await post(worker, sent), await post(worker, { type: 'progress', text })]
    for (const message of made) expect(await store.read.messages.find(message.id)).toEqual(message)
    await commands.people.send({ to: worker.id, subject: text, body: text, key: text })
    const unknown = await commands.agents.post(worker.id, {
      type: 'send',
      to: text.slice(at - 89),
      body: 'x',
    })
    const events = await feed.read(trial.job.id, 0, 10)
    const seen = JSON.stringify([await store.read.messages.list({}, { limit: 3 }), events, unknown])
    expect(seen).toContain('[redacted:KEY]')
    expect(seen).not.toContain(KEY.slice(0, 4))
  })
})

describe('a message is refused', () => {
  it.each<readonly [string, MessageRequest]>([
    ['message-too-large', { type: 'send', to: 'person', body: 'ä'.repeat(600_000) }],
    ['message-too-large', { type: 'send', to: 'person', body: 'x', metadata: { much: 'y'.repeat(20_000) } }],
    ['message-empty', { type: 'send', to: 'person', body: ' \n' }],
    ['recipient-unknown', { type: 'send', to: 'engine', body: 'approve it' }],
    ['recipient-unknown', { type: 'send', to: 'agent:nobody', body: 'hello' }],
    ['recipient-unknown', { type: 'send', to: 'role:king', body: 'hello' }],
    ['recipient-unknown', { type: 'send', to: 'ses_00000000000000000000', body: 'hello' }],
    ['recipient-unknown', { type: 'send', body: 'to nobody' }],
    ['recipient-unknown', { type: 'handoff', summary: 'x', nextSteps: '', reason: '', to: 'nobody' }],
    ['message-not-found', { type: 'send', inReplyTo: 'msg_00000000000000000000', body: 'yes' }],
    ['predecessor-absent', { type: 'ask', to: 'predecessor', question: 'why?' }],
  ])('with %s: %o', async (type, message) => {
    expect(await commands.agents.post(worker.id, message)).toMatchObject({ ok: false, failure: { type } })
    expect(await eventTypes(trial.job.id)).toEqual([])
  })

  it('if its session has already sent a thousand', async () => {
    await database
      .insertInto('messages')
      .values(Array.from({ length: 1000 }, () => exampleMessage({ jobId: trial.job.id, sender: worker.id })))
      .execute()
    expect(await commands.agents.post(worker.id, { type: 'progress', text: 'more' })).toEqual({
      ok: false,
      failure: { type: 'too-many-messages', limit: 1000 },
    })
  })

  it('if its session has ended, which closes its inbox too', async () => {
    await endExampleSession(store, worker)
    const over = { ok: false, failure: { type: 'session-over' } }
    expect(await commands.agents.post(worker.id, { type: 'progress', text: 'still here' })).toEqual(over)
    expect(await commands.agents.inbox(worker.id)).toEqual(over)
  })

  it('if it is for a session of another job', async () => {
    const other = await storeExampleTask(store)
    const stranger = await storeExampleSession(store, other)
    const wrote = await commands.agents.post(stranger.id, { type: 'send', to: worker.id, body: 'psst' })
    expect(wrote).toMatchObject({ ok: false, failure: { type: 'recipient-unknown' } })
    const sent = await post(worker, { type: 'send', to: 'role:worker', body: 'only among us' })
    const asked = await post(worker, { type: 'ask', to: 'role:worker', question: 'who?' })
    expect(await bodiesFor(stranger)).toEqual([])
    for (const { id } of [sent, asked]) {
      const refused = { ok: false, failure: { type: 'message-not-found' } }
      expect(await commands.agents.acknowledge(stranger.id, [id])).toMatchObject(refused)
      expect(
        await commands.agents.post(stranger.id, { type: 'send', inReplyTo: id, body: 'me' }),
      ).toMatchObject(refused)
    }
    expect(await stateOf(sent.id)).toEqual({ type: 'queued' })
  })

  it('if a session without a job addresses it to an agent by name, or hands over', async () => {
    const { jobId: _, ...alone } = worker
    const free: Session = { ...alone, id: ids.next('session') }
    await store.transact((records) => records.sessions.insert(free, exampleChange()))
    expect(await commands.agents.post(free.id, { type: 'send', to: 'agent:one', body: 'x' })).toMatchObject({
      ok: false,
    })
    const handoff = { type: 'handoff', summary: 'x', nextSteps: '', reason: '' } as const
    const personal = { ...free, id: ids.next('session'), purpose: PERSONAL }
    await store.transact((records) => records.sessions.insert(personal, exampleChange()))
    expect(await commands.agents.post(personal.id, handoff)).toEqual({
      ok: false,
      failure: { type: 'handoff-impossible', problem: 'it has no task' },
    })
    const sent = await commands.people.send({ to: free.id, body: 'hello' })
    expect(sent.ok).toBe(true)
    expect(await bodiesFor(free)).toEqual(['hello'])
  })
})

describe('a message to the engine', () => {
  it('becomes an event if it reports progress', async () => {
    const sent = await post(worker, { type: 'progress', text: 'half way', percent: 50 })
    expect(sent.state).toEqual({ type: 'acknowledged', by: 'engine' })
    const [event] = await feed.read(trial.job.id, 0, 10)
    expect(event).toMatchObject({
      type: 'task_progress',
      taskId: trial.task.id,
      data: { source: 'agent', message: 'half way', percent: 50 },
    })
  })

  it('completes or hands over its session once, and is acknowledged', async () => {
    const done = await post(worker, { type: 'complete', summary: 'all', answer: { done: true }, key: 'end' })
    await post(worker, { type: 'complete', summary: 'all', key: 'end' })
    await post(worker, { type: 'handoff', summary: 'half', nextSteps: 'rest', reason: 'full', to: 'critic' })
    expect(calls).toEqual([
      `complete ${worker.id}`,
      `handoff ${worker.id} {"summary":"half","nextSteps":"rest","reason":"full","to":"critic"}`,
    ])
    expect(await stateOf(done.id)).toEqual({ type: 'acknowledged', by: 'engine' })
    const claim = await store.read.messages.findClaim(worker.id)
    expect(claim).toMatchObject({ body: 'all', metadata: { answer: { done: true } } })
  })

  it('is refused if it claims to be the answer of an agent that plans or judges', async () => {
    const planner = await session({ role: 'planner' })
    const claim = { type: 'complete', summary: 'all', answer: { verdict: 'APPROVED' } } as const
    expect(await commands.agents.post(planner.id, claim)).toEqual({
      ok: false,
      failure: { type: 'answer-in-words' },
    })
    expect(calls).toEqual([])
  })

  it('is carried out later if the runtime fails at first', async () => {
    failing = true
    const sent = await post(worker, { type: 'complete', summary: 'all' })
    expect(await stateOf(sent.id)).toEqual({ type: 'queued' })
    failing = false
    const outbox = { outbox: createFolderOutbox(parseMessageRequest), outboxOf: () => '/nonexistent/outbox' }
    await collectOutbox({ ...needs, ...outbox }, worker.id)
    await collectOutbox({ ...needs, ...outbox }, worker.id)
    expect(calls).toEqual([`complete ${worker.id}`])
  })
})

describe('a question', () => {
  it('to a person is answered once, in the inbox', async () => {
    const asked = await post(worker, { type: 'ask', to: 'person', question: 'red or blue?' })
    const answered = await commands.people.answer({ inReplyTo: asked.id, body: 'blue', key: 'k' })
    expect(answered.ok).toBe(true)
    const again = await commands.people.answer({ inReplyTo: asked.id, body: 'blue', key: 'k' })
    expect(again).toMatchObject({ ok: true, value: { kind: 'answer', recipient: worker.id } })
    expect(await commands.people.answer({ inReplyTo: asked.id, body: 'no, red' })).toMatchObject({
      ok: false,
      failure: { type: 'question-answered' },
    })
    expect(await stateOf(asked.id)).toEqual({ type: 'acknowledged', by: 'person' })
    expect(await bodiesFor(worker)).toEqual(['blue'])
  })

  it('to a person fails when the job ends without an answer', async () => {
    const asked = await post(worker, { type: 'ask', to: 'person', question: 'red or blue?' })
    const answered = await post(worker, { type: 'ask', to: 'person', question: 'round or square?' })
    await commands.people.answer({ inReplyTo: answered.id, body: 'round' })
    await cancelJob({ ...needs, settings: {} as EngineSettings }, trial.job.id, 'enough')
    expect(await stateOf(asked.id)).toEqual({
      type: 'failed',
      reason: 'the job ended before anyone answered the question',
    })
    expect(await stateOf(answered.id)).toEqual({ type: 'acknowledged', by: 'person' })
    expect((await eventTypes(trial.job.id)).at(-1)).toBe('job_cancelled')
  })

  it('can wait for its answer, which then costs no further turn', async () => {
    const asking = askQuestion(needs, worker.id, { to: 'person', question: 'now?' }, { waitMs: 20_000 })
    let found: readonly { readonly id: string }[] = []
    while (found.length === 0)
      found = await store.read.messages.list({ sender: worker.id, kind: 'question' }, { limit: 1 })
    await commands.people.answer({ inReplyTo: found[0]?.id ?? '', body: 'now' })
    const asked = await asking
    expect(asked).toMatchObject({
      ok: true,
      value: { answer: { body: 'now', state: { type: 'acknowledged', by: worker.id } } },
    })
    expect(calls).toEqual([])
    expect(await bodiesFor(worker)).toEqual([])
  })

  it('gets a notice of an answer that comes when its caller is gone', async () => {
    const leaving = new AbortController()
    const patience = { waitMs: 20_000, signal: leaving.signal }
    const asking = askQuestion(needs, worker.id, { to: 'person', question: 'now?' }, patience)
    await expect.poll(() => needs.awaitedAnswers.size).toBe(1)
    const [question] = [...needs.awaitedAnswers]
    leaving.abort()
    await commands.people.answer({ inReplyTo: question ?? '', body: 'now' })
    expect(await asking).not.toHaveProperty('value.answer')
    // A second notice at the same moment would be dropped, because one is already pending.
    await expect.poll(() => [...new Set(calls)]).toEqual([`nudge ${worker.id}`])
    expect(await bodiesFor(worker)).toEqual(['now'])
  })

  it('returns without an answer when its time is up or its caller is gone', async () => {
    const impatient = await askQuestion(needs, worker.id, { to: 'person', question: 'a?' }, { waitMs: 50 })
    expect(impatient).toMatchObject({ ok: true, value: { question: { body: 'a?' } } })
    expect(impatient.ok && impatient.value.answer).toBeUndefined()
    const signal = AbortSignal.abort()
    const gone = await askQuestion(
      needs,
      worker.id,
      { to: 'person', question: 'b?' },
      { waitMs: 30_000, signal },
    )
    expect(gone.ok).toBe(true)
  })

  it('to a role is answered by the session that received it', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const asked = await post(worker, { type: 'ask', to: 'role:reviewer', question: 'good?' })
    expect(await bodiesFor(critic)).toEqual(['good?'])
    await post(critic, { type: 'send', inReplyTo: asked.id, body: 'good' })
    const inbox = await commands.agents.inbox(worker.id)
    expect(inbox).toMatchObject({ value: [{ kind: 'answer', body: 'good', inReplyTo: asked.id }] })
  })

  it('to a predecessor is passed to the runtime, which answers in its place', async () => {
    const second = await session({ number: 2 })
    const asked = await post(second, { type: 'ask', to: 'predecessor', question: 'why so?' })
    expect(calls).toEqual([`question ${asked.id} ${worker.id}`])
    await answerQuestion(needs, 'engine', { inReplyTo: asked.id, body: 'because' })
    expect(await bodiesFor(second)).toEqual(['because'])
  })

  it('does not block the inbox, which can wait for a message too', async () => {
    const reading = commands.agents.inbox(worker.id, { waitMs: 20_000 })
    await commands.people.send({ to: 'role:worker', jobId: trial.job.id, body: 'hurry' })
    expect(await reading).toMatchObject({ ok: true, value: [{ body: 'hurry' }] })
  })
})

describe('an outbox', () => {
  let place: TemporaryDirectory
  let directory: string

  beforeEach(async () => {
    place = await temporaryDirectory('muster-outbox')
    directory = join(place.path, 'outbox')
    await mkdir(directory)
  })
  afterEach(() => place[Symbol.asyncDispose]())

  const collect = (from: SessionId, outbox = createFolderOutbox(parseMessageRequest)) =>
    collectOutbox({ ...needs, outbox, outboxOf: () => directory }, from)

  async function leave(name: string, content: unknown): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(directory, `.${name}`), text)
    await rename(join(directory, `.${name}`), join(directory, name))
  }

  it('is emptied, and its files become messages in order', async () => {
    await leave('1.json', { type: 'progress', text: 'one' })
    await leave('2.json', { type: 'send', to: 'person', body: 'two' })
    await leave('3.json', { type: 'ask', question: 'three?' })
    await leave('4.json', { type: 'complete', summary: 'four' })
    await collect(worker.id)
    expect(await readdir(directory)).toEqual([])
    const sent = await store.read.messages.list({ sender: worker.id }, { limit: 10 })
    expect(sent.map(({ kind }) => kind).sort()).toEqual(['complete', 'progress', 'question', 'text'])
    expect(calls).toEqual([`complete ${worker.id}`])
  })

  it('delivers each message once even if the daemon dies before it removes the file', async () => {
    await leave('1.json', { type: 'send', to: 'person', body: 'once' })
    const died = {
      ...createFolderOutbox(parseMessageRequest),
      remove: () => Promise.reject(new Error('killed')),
    }
    await expect(collect(worker.id, died)).rejects.toThrow('killed')
    await collect(worker.id)
    expect(await readdir(directory)).toEqual([])
    expect(await store.read.messages.list({ sender: worker.id }, { limit: 10 })).toHaveLength(1)
  })

  it('treats a file name that is used again as a new message', async () => {
    await leave('state.json', { type: 'progress', text: 'one' })
    await collect(worker.id)
    await leave('state.json', { type: 'progress', text: 'two' })
    await collect(worker.id)
    expect(await store.read.messages.list({ sender: worker.id }, { limit: 10 })).toHaveLength(2)
  })

  it('stores no part of a secret in the name of a file', async () => {
    const name = `${'.'.repeat(89)}${KEY}.json`.replace('.', 'x')
    await leave(name, 'nonsense')
    await leave(`x${name}`, { type: 'progress', text: 'fine' })
    await collect(worker.id)
    const stored = await store.read.messages.list({ sender: worker.id }, { limit: 10 })
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain(KEY.slice(0, 4))
  })

  it('sets aside invalid and refused files with an event, and continues', async () => {
    await leave('1.json', 'nonsense')
    await leave('2.json', { type: 'send', to: 'agent:nobody', body: 'x' })
    await leave('3.json', { type: 'progress', text: 'fine' })
    await collect(worker.id)
    expect(await readdir(directory)).toEqual([])
    expect(await readdir(join(place.path, 'outbox-rejected'))).toHaveLength(4)
    expect(await eventTypes(trial.job.id)).toEqual(['message_failed', 'message_failed', 'task_progress'])
    const [event] = await feed.read(trial.job.id, 0, 1)
    expect(event?.data).toMatchObject({ subject: 'outbox: 1.json', reason: 'it is not valid JSON' })
  })
})
