import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { createFolderOutbox } from '../../adapters/outbox/folder/folder-outbox.ts'
import { findBrokenAuditRow } from '../../adapters/store/postgres/audit-chain.ts'
import { type Database, openDatabase } from '../../adapters/store/postgres/database.ts'
import { createPostgresFeed, type PostgresFeed } from '../../adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import { parseMessageRequest } from '../../contract/message.ts'
import { createIds } from '../../daemon/system-ids.ts'
import type { JobId, SessionId } from '../../domain/id.ts'
import type { MessageRequest } from '../../domain/message/message-request.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { failUnreadMessages } from '../receipts/fail-unread-messages.ts'
import { answerQuestion } from './answer-question.ts'
import { askQuestion } from './ask-question.ts'
import { collectOutbox } from './collect-outbox.ts'
import { createMessageCommands, type MessageCommands } from './message-commands.ts'
import type { MessageNeeds } from './message-needs.ts'
import { countUnread } from './read-inbox.ts'
import { endTrialSession, storeTrialJob, storeTrialSession, type TrialJob } from './testing/trial-records.ts'

let database: Kysely<Database>
let feed: PostgresFeed
let store: Store
let needs: MessageNeeds
let commands: MessageCommands
let trial: TrialJob
let worker: Session
/** What the runtime was told to do, in order. */
const calls: string[] = []
let failing = false

beforeAll(async () => {
  const connection = { ...(await createTestDatabase()) }
  database = openDatabase(connection, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  feed = createPostgresFeed({ database, connection, onLost: () => undefined })
  await feed.start()
  const tell = async (text: string) => {
    if (failing) throw new Error('the runtime is not there')
    calls.push(text)
  }
  needs = {
    store,
    feed,
    ids: createIds(),
    clock: { now: () => new Date() },
    log: silentLog,
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
  failing = false
  trial = await storeTrialJob(needs)
  worker = await storeTrialSession(needs, trial)
})

function session(fields: Partial<Session> & { readonly number?: number }): Promise<Session> {
  return storeTrialSession(needs, trial, fields)
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
  it('reaches the session it is for, with a receipt for each step, and comes again until acknowledged', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const sent = await post(worker, { type: 'send', to: critic.id, subject: 'look', body: 'at this' })
    expect(sent.state).toEqual({ type: 'queued' })
    expect(calls).toEqual([`nudge ${critic.id}`])
    expect(await countUnread(needs, critic.id)).toBe(1)
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
    expect(await findBrokenAuditRow(database)).toBeUndefined()
  })

  it('sent again under its key, also at the same moment, is the first one', async () => {
    const message: MessageRequest = { type: 'send', to: 'person', body: 'hello', key: 'once' }
    const receipts = await Promise.all([1, 2, 3, 4].map(() => post(worker, message)))
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    const other = await session({ agentName: 'critic', role: 'reviewer' })
    expect((await post(other, message)).id).not.toBe(receipts[0]?.id)
  })

  it('to a role goes to the first who reads, never to its sender, and to the next when that one ends', async () => {
    const one = await session({ agentName: 'critic', role: 'reviewer' })
    const two = await session({ agentName: 'critic', role: 'reviewer' })
    await post(one, { type: 'send', to: 'role:reviewer', body: 'who looks?' })
    expect(calls).toEqual([`nudge ${two.id}`])
    expect(await bodiesFor(one)).toEqual([])
    expect(await bodiesFor(two)).toEqual(['who looks?'])
    const three = await session({ agentName: 'critic', role: 'reviewer' })
    expect(await bodiesFor(three)).toEqual([])
    await endTrialSession(needs, two)
    expect(await bodiesFor(three)).toEqual(['who looks?'])
  })

  it('to an agent waits for a session that is not there yet', async () => {
    await post(worker, { type: 'send', to: 'agent:critic', body: 'when you come' })
    expect(calls).toEqual([])
    expect(await bodiesFor(await session({ agentName: 'critic', role: 'reviewer' }))).toEqual([
      'when you come',
    ])
  })

  it('keeps its place in the order of sending', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const bodies = Array.from({ length: 15 }, (_, index) => `message ${index}`)
    for (const body of bodies) await post(worker, { type: 'send', to: critic.id, body })
    expect(await bodiesFor(critic)).toEqual(bodies)
  })

  it('fails when its session ends without having read it', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const own = await post(worker, { type: 'send', to: critic.id, body: 'for you' })
    const shared = await post(worker, { type: 'send', to: 'role:reviewer', body: 'for any' })
    await store.transact((records) => failUnreadMessages(records, critic.id, new Date()))
    expect(await stateOf(own.id)).toMatchObject({ type: 'failed' })
    expect(await stateOf(shared.id)).toEqual({ type: 'queued' })
  })

  it('holds whatever text there is, also what a database does not like', async () => {
    const sent = await post(worker, {
      type: 'send',
      to: 'person',
      body: 'a\0b\ud800c',
      metadata: { odd: '\0\ud800' },
    })
    expect((await store.read.messages.find(sent.id))?.body).toBe('a\ufffdb\ufffdc')
  })
})

describe('a message is refused', () => {
  it.each<readonly [string, MessageRequest]>([
    ['message-too-large', { type: 'send', to: 'person', body: 'ä'.repeat(33_000) }],
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
  ])('as %s: %o', async (type, message) => {
    expect(await commands.agents.post(worker.id, message)).toMatchObject({ ok: false, failure: { type } })
    expect(await eventTypes(trial.job.id)).toEqual([])
  })

  it('beyond a thousand of one session', async () => {
    await database
      .insertInto('messages')
      .values(
        Array.from({ length: 1000 }, () => ({
          id: needs.ids.next('message'),
          jobId: trial.job.id,
          sender: worker.id,
          recipient: 'person' as const,
          kind: 'text' as const,
          subject: '',
          body: 'again',
          metadata: {},
          state: { type: 'queued' as const },
          version: 1,
          createdAt: new Date(),
          inReplyTo: null,
          dedupeKey: null,
          deliveredAt: null,
          endedAt: null,
        })),
      )
      .execute()
    expect(await commands.agents.post(worker.id, { type: 'progress', text: 'more' })).toEqual({
      ok: false,
      failure: { type: 'too-many-messages', limit: 1000 },
    })
  })

  it('from a session that is over, whose inbox is closed too', async () => {
    await endTrialSession(needs, worker)
    const over = { ok: false, failure: { type: 'session-over' } }
    expect(await commands.agents.post(worker.id, { type: 'progress', text: 'still here' })).toEqual(over)
    expect(await commands.agents.inbox(worker.id)).toEqual(over)
  })

  it('to, and from, another job', async () => {
    const other = await storeTrialJob(needs)
    const stranger = await storeTrialSession(needs, other)
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

  it('from a session outside of any job to whoever has the same name', async () => {
    const { jobId: _, ...alone } = worker
    const free: Session = { ...alone, id: needs.ids.next('session') }
    const change = { audit: { actor: 'engine', action: 'trial', subject: 'x', detail: {} } } as const
    await store.transact((records) => records.sessions.insert(free, change))
    expect(
      await commands.agents.post(free.id, { type: 'send', to: 'agent:builder', body: 'x' }),
    ).toMatchObject({ ok: false })
    const sent = await commands.people.send({ to: free.id, body: 'hello' })
    expect(sent.ok).toBe(true)
    expect(await bodiesFor(free)).toEqual(['hello'])
  })
})

describe('what a session tells the engine', () => {
  it('is shown to watchers when it is progress', async () => {
    const sent = await post(worker, { type: 'progress', text: 'half way', percent: 50 })
    expect(sent.state).toEqual({ type: 'acknowledged', by: 'engine' })
    const [event] = await feed.read(trial.job.id, 0, 10)
    expect(event).toMatchObject({
      type: 'task_progress',
      taskId: trial.task.id,
      data: { source: 'agent', message: 'half way', percent: 50 },
    })
  })

  it('is done once: completion and handoff reach the runtime and are acknowledged', async () => {
    const done = await post(worker, { type: 'complete', summary: 'all', answer: { done: true }, key: 'end' })
    await post(worker, { type: 'complete', summary: 'all', key: 'end' })
    await post(worker, { type: 'handoff', summary: 'half', nextSteps: 'rest', reason: 'full', to: 'critic' })
    expect(calls).toEqual([
      `complete ${worker.id}`,
      `handoff ${worker.id} {"summary":"half","nextSteps":"rest","reason":"full","to":"critic"}`,
    ])
    expect(await stateOf(done.id)).toEqual({ type: 'acknowledged', by: 'engine' })
    const claim = await store.read.messages.findLatest(worker.id, 'complete')
    expect(claim).toMatchObject({ body: 'all', metadata: { answer: { done: true } } })
  })

  it('is done later when the runtime could not do it at once', async () => {
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
  it('to a person is answered once, and the answer is in the inbox', async () => {
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

  it('can be waited for', async () => {
    const asking = askQuestion(needs, worker.id, { to: 'person', question: 'now?' }, { waitMs: 20_000 })
    let found: readonly { readonly id: string }[] = []
    while (found.length === 0)
      found = await store.read.messages.list({ sender: worker.id, kind: 'question' }, { limit: 1 })
    await commands.people.answer({ inReplyTo: found[0]?.id ?? '', body: 'now' })
    const asked = await asking
    expect(asked).toMatchObject({
      ok: true,
      value: { answer: { body: 'now', state: { type: 'delivered' } } },
    })
  })

  it('without an answer gives up when its time is over or nobody listens any more', async () => {
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

  it('to a role is answered by whoever got it', async () => {
    const critic = await session({ agentName: 'critic', role: 'reviewer' })
    const asked = await post(worker, { type: 'ask', to: 'role:reviewer', question: 'good?' })
    expect(await bodiesFor(critic)).toEqual(['good?'])
    await post(critic, { type: 'send', inReplyTo: asked.id, body: 'good' })
    const inbox = await commands.agents.inbox(worker.id)
    expect(inbox).toMatchObject({ value: [{ kind: 'answer', body: 'good', inReplyTo: asked.id }] })
  })

  it('to a predecessor is brought to the runtime, which answers for it', async () => {
    const second = await session({ number: 2 })
    const asked = await post(second, { type: 'ask', to: 'predecessor', question: 'why so?' })
    expect(calls).toEqual([`question ${asked.id} ${worker.id}`])
    await answerQuestion(needs, 'engine', { inReplyTo: asked.id, body: 'because' })
    expect(await bodiesFor(second)).toEqual(['because'])
  })

  it('does not hold the inbox up, which can be waited at too', async () => {
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

  it('becomes messages in order, and is empty after', async () => {
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

  it('gives each message once when the daemon died before it removed the file', async () => {
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

  it('takes a name that is used again for a message of its own', async () => {
    await leave('state.json', { type: 'progress', text: 'one' })
    await collect(worker.id)
    await leave('state.json', { type: 'progress', text: 'two' })
    await collect(worker.id)
    expect(await store.read.messages.list({ sender: worker.id }, { limit: 10 })).toHaveLength(2)
  })

  it('sets aside what is no message and what is refused, with an event, and goes on', async () => {
    await leave('1.json', 'nonsense')
    await leave('2.json', { type: 'send', to: 'agent:nobody', body: 'x' })
    await leave('3.json', { type: 'progress', text: 'fine' })
    await collect(worker.id)
    expect(await readdir(directory)).toEqual([])
    expect(await readdir(join(place.path, 'outbox-rejected'))).toHaveLength(4)
    expect(await eventTypes(trial.job.id)).toEqual(['message_failed', 'message_failed', 'task_progress'])
    const [event] = await feed.read(trial.job.id, 0, 1)
    expect(event?.data).toMatchObject({ subject: 'outbox: 1.json', reason: 'it is not JSON' })
  })
})
