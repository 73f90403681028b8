import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  endExampleSession,
  exampleChange,
  ids,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { storeExampleRun, storeVisitSession } from '../../../test/support/example-run.ts'
import { NO_ASSIGNMENTS } from '../../../test/support/no-assignments.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { SendRequest } from '../../domain/message/message-request.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import { listMessages, showMessage } from '../queries/messages.ts'
import { askQuestion } from './ask-question.ts'
import { collectOutbox } from './collect-outbox.ts'
import { expireMessage } from './expire-message.ts'
import { createMessageCommands, type MessageCommands } from './message-commands.ts'
import type { MessageNeeds } from './message-needs.ts'
import { createWaitingReaders } from './waiting-readers.ts'

let database: Kysely<Database>
let store: Store
let needs: MessageNeeds
let commands: MessageCommands
let trial: Awaited<ReturnType<typeof storeExampleTask>>
let run: Run
let developer: Session
let reviewer: Session
let now = new Date()
const nudged: string[] = []
const alarms: { readonly at: Date; readonly work: Work }[] = []

beforeAll(async () => {
  database = openDatabase(await createTestDatabase(), () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const nothing = () => Promise.resolve()
  needs = {
    store,
    feed: { subscribe: () => ({ [Symbol.dispose]: () => undefined }) },
    ids,
    clock: { now: () => now },
    log: silentLog,
    redact: (text) => text,
    waitingReaders: createWaitingReaders(),
    awaitedAnswers: new Set(),
    wakeAt: (at, work) => alarms.push({ at, work }),
    onMessage: async (readers) => void nudged.push(...readers),
    onHandoff: nothing,
    onComplete: nothing,
    onQuestion: nothing,
  }
  const history = { listFiles: () => Promise.resolve([]), readFile: () => Promise.resolve(undefined) }
  commands = createMessageCommands({ ...needs, history })
})

afterAll(() => database.destroy())

beforeEach(async () => {
  now = new Date()
  nudged.length = 0
  alarms.length = 0
  trial = await storeExampleTask(store)
  run = await storeExampleRun(store, trial, ['developer', 'reviewer', 'architect'])
  developer = await storeVisitSession(store, trial, run, 'developer')
  reviewer = await storeVisitSession(store, trial, run, 'reviewer')
})

async function send(from: Session, request: Omit<SendRequest, 'type'>) {
  const sent = await commands.agents.post(from.id, { type: 'send', ...request })
  if (!sent.ok) throw new Error(JSON.stringify(sent.failure))
  return sent.value
}

async function inboxOf(reader: Session) {
  const inbox = await commands.agents.inbox(reader.id)
  if (!inbox.ok) throw new Error(inbox.failure.type)
  return inbox.value
}

const bodiesFor = async (reader: Session) => (await inboxOf(reader)).map(({ body }) => body)

describe('messages of a run', () => {
  it('are in its thread, with the roles of both sides, and replies stay there', async () => {
    const sent = await send(developer, { to: 'role:reviewer', body: 'look at this', messageType: 'artifact' })
    expect(sent).toMatchObject({ threadId: run.id, type: 'artifact', senderRole: 'developer' })
    await inboxOf(reviewer)
    const reply = await send(reviewer, { inReplyTo: sent.id, body: 'looks good' })
    expect(reply).toMatchObject({ threadId: run.id, recipient: developer.id, recipientRole: 'developer' })
    const page = await listMessages({ store }, { run: run.id, limit: 10 })
    expect(new Set(page.items.map(({ id }) => id))).toEqual(new Set([sent.id, reply.id]))
    const artifacts = await listMessages({ store }, { run: run.id, type: 'artifact', limit: 10 })
    expect(artifacts.items.map(({ id }) => id)).toEqual([sent.id])
    const none = await listMessages({ store }, { run: run.id, role: 'architect', limit: 10 })
    expect(none.items).toEqual([])
    const thread = await commands.agents.thread(reviewer.id, { limit: 10 })
    expect(thread).toMatchObject({ ok: true, value: { length: 2 } })
  })

  it('reach no session of the same role outside the run', async () => {
    const other = await storeVisitSession(store, trial, { ...run, id: ids.next('run') }, 'reviewer')
    await send(developer, { to: 'role:reviewer', body: 'look at this' })
    expect(nudged).toEqual([reviewer.id])
    expect(await bodiesFor(other)).toEqual([])
    expect(await bodiesFor(reviewer)).toEqual(['look at this'])
  })

  it('reach a waiting reader without the event feed', async () => {
    const waits = vi.spyOn(needs.waitingReaders, 'subscribe')
    const reading = commands.agents.inbox(reviewer.id, { waitMs: 20_000 })
    await expect.poll(() => waits.mock.calls.length).toBe(1)
    await send(developer, { to: 'role:reviewer', body: 'look at this' })
    expect(await reading).toMatchObject({ ok: true, value: [{ body: 'look at this' }] })
  })

  it('are read by priority, then by age', async () => {
    for (const [body, priority] of [
      ['first', 'normal'],
      ['second', 'low'],
      ['third', 'critical'],
      ['fourth', 'normal'],
      ['fifth', 'high'],
    ] as const)
      await send(developer, { to: 'role:reviewer', body, priority })
    expect(await bodiesFor(reviewer)).toEqual(['third', 'fifth', 'first', 'fourth', 'second'])
  })

  it('to the orchestrator are kept for people, and nobody has to act on them', async () => {
    const sent = await send(developer, { to: 'orchestrator', body: 'blocked', messageType: 'status' })
    expect(sent).toMatchObject({ recipient: 'engine', state: { type: 'acknowledged', by: 'engine' } })
    const asked = await askQuestion(needs, developer.id, { to: 'orchestrator', question: 'which one?' })
    expect(asked).toMatchObject({ value: { question: { recipient: 'person', threadId: run.id } } })
  })

  it('from a person reach a role of the run', async () => {
    const sent = await commands.people.send({ to: 'role:reviewer', runId: run.id, body: 'be strict' })
    expect(sent).toMatchObject({ ok: true, value: { threadId: run.id, jobId: trial.job.id } })
    expect(await bodiesFor(reviewer)).toEqual(['be strict'])
    const unknown = await commands.people.send({ to: 'role:king', runId: run.id, body: 'hello' })
    expect(unknown).toMatchObject({ ok: false, failure: { type: 'recipient-unknown' } })
  })
})

describe('a question whose asker has ended', () => {
  const ask = async () => {
    const asked = await askQuestion(needs, developer.id, { to: 'role:reviewer', question: 'which one?' })
    if (!asked.ok) throw new Error(asked.failure.type)
    await inboxOf(reviewer)
    await endExampleSession(store, developer)
    return asked.value.question
  }

  it("is answered to the next visit of the asker's role, in this run only", async () => {
    const { id } = await ask()
    const other = await storeVisitSession(store, trial, { ...run, id: ids.next('run') }, 'developer')
    const answer = await send(reviewer, { inReplyTo: id, body: 'the second' })
    expect(answer).toMatchObject({ kind: 'answer', recipient: 'role:developer', threadId: run.id })
    const next = await storeVisitSession(store, trial, run, 'developer')
    expect(await bodiesFor(other)).toEqual([])
    expect(await bodiesFor(reviewer)).toEqual([])
    expect(await bodiesFor(next)).toEqual(['the second'])
  })

  it('can also be answered by a person', async () => {
    const { id } = await ask()
    const answered = await commands.people.answer({ inReplyTo: id, body: 'the first' })
    expect(answered).toMatchObject({ ok: true, value: { recipient: 'role:developer' } })
    expect(await bodiesFor(await storeVisitSession(store, trial, run, 'developer'))).toEqual(['the first'])
  })

  it('can no longer be answered once the run has ended', async () => {
    const { id } = await ask()
    await store.transact((records) =>
      records.runs.save({ ...run, state: { type: 'ended', end: 'failed' } }, exampleChange()),
    )
    const late = await commands.agents.post(reviewer.id, { type: 'send', inReplyTo: id, body: 'late' })
    expect(late).toMatchObject({ ok: false, failure: { type: 'recipient-gone' } })
  })

  it('reaches a visit of the asked role that begins later', async () => {
    await endExampleSession(store, reviewer)
    await askQuestion(needs, developer.id, { to: 'role:reviewer', question: 'which one?' })
    await endExampleSession(store, developer)
    expect(await bodiesFor(await storeVisitSession(store, trial, run, 'reviewer'))).toEqual(['which one?'])
  })
})

describe('a broadcast', () => {
  it('reaches everyone in the run but its sender, also roles that start later, and is listed once', async () => {
    const twin = await storeVisitSession(store, trial, run, 'developer')
    const sent = await send(developer, { to: 'broadcast', body: 'the API has changed' })
    expect(new Set(nudged)).toEqual(new Set([reviewer.id, twin.id]))
    for (const reader of [reviewer, twin]) expect(await bodiesFor(reader)).toEqual(['the API has changed'])
    const architect = await storeVisitSession(store, trial, run, 'architect')
    const [copy] = await inboxOf(architect)
    expect(copy).toMatchObject({ broadcastId: sent.id, recipient: 'role:architect' })
    expect(await bodiesFor(developer)).toEqual([])
    const { items } = await listMessages({ store }, { run: run.id, limit: 10 })
    expect(items.map(({ id, recipient }) => [id, recipient])).toEqual([[sent.id, 'broadcast']])
  })

  it('needs a run', async () => {
    const sent = await commands.people.send({ to: 'broadcast', jobId: trial.job.id, body: 'hello' })
    expect(sent).toMatchObject({ ok: false, failure: { type: 'recipient-unknown' } })
  })
})

describe('a deadline', () => {
  const expire = (id: Parameters<typeof expireMessage>[1]) =>
    expireMessage(
      {
        ...needs,
        assignments: NO_ASSIGNMENTS,
        adoptSession: () => undefined,
        answerMessage: () => Promise.resolve(),
        crash: { reach: () => undefined },
        settings: undefined as never,
      },
      id,
    )

  it('that passes without a reply is in the receipt, and its sender is told once', async () => {
    const sent = await send(developer, { to: 'role:reviewer', subject: 'API', body: 'ok?', deadline: '15m' })
    const at = new Date(now.getTime() + 15 * 60_000)
    expect(sent).toMatchObject({ requiresResponse: true, deadline: at })
    expect(alarms).toEqual([{ at, work: { type: 'message-expire', messageId: sent.id } }])
    await expire(sent.id)
    expect(alarms).toHaveLength(2)
    now = at
    expect((await store.read.messages.listDeadlines(10)).map(({ id }) => id)).toContain(sent.id)
    for (let count = 0; count < 2; count += 1) await expire(sent.id)
    expect(await store.read.messages.find(sent.id)).toMatchObject({
      overdueAt: at,
      state: { type: 'queued' },
    })
    const inbox = await inboxOf(developer)
    expect(inbox).toMatchObject([
      { type: 'status', subject: 'No reply: API', inReplyTo: sent.id, threadId: run.id, sender: 'engine' },
    ])
    expect(inbox[0]?.body).toContain('role:reviewer, who has not read it, did not reply')
    expect(await bodiesFor(reviewer)).toEqual(['ok?'])
  })

  it('that is met changes nothing', async () => {
    const sent = await send(developer, { to: 'role:reviewer', body: 'ok?', deadline: '15m' })
    await inboxOf(reviewer)
    await send(reviewer, { inReplyTo: sent.id, body: 'yes' })
    now = new Date(now.getTime() + 3_600_000)
    await expire(sent.id)
    expect(await store.read.messages.find(sent.id)).not.toHaveProperty('overdueAt')
    expect(await bodiesFor(developer)).toEqual(['yes'])
  })

  it('of a broadcast names those who did not reply', async () => {
    const sent = await send(developer, { to: 'broadcast', body: 'ok?', deadline: '1h' })
    const [copy] = await inboxOf(reviewer)
    await send(reviewer, { inReplyTo: copy?.id ?? '', body: 'yes' })
    now = new Date(now.getTime() + 3_600_000)
    await expire(sent.id)
    const bodies = (await bodiesFor(developer)).join('\n')
    expect(bodies).toContain('role:architect')
    expect(bodies).not.toContain('role:reviewer')
  })

  it.each(['soon', '0m', '2020-01-01T00:00:00Z', '99d'])('of %s is refused', async (deadline) => {
    const sent = await commands.agents.post(developer.id, {
      type: 'send',
      to: 'role:reviewer',
      body: 'ok?',
      deadline,
    })
    expect(sent).toMatchObject({ ok: false, failure: { type: 'deadline-invalid' } })
  })
})

describe('a large text', () => {
  const text = `start ${'x'.repeat(100_000)} end`

  it('is stored once, and its messages have its start', async () => {
    const sent = await send(developer, { to: 'broadcast', body: text })
    const [copy] = await inboxOf(reviewer)
    expect(copy?.body).toHaveLength(2000)
    expect(copy?.wholeBody).toEqual({ id: sent.id, bytes: text.length })
    const whole = await commands.agents.read(reviewer.id, copy?.id ?? '')
    expect(whole).toMatchObject({ ok: true, value: { body: text } })
    expect(await showMessage({ store }, sent.id)).toMatchObject({ value: { body: text } })
    const stranger = await storeVisitSession(
      store,
      await storeExampleTask(store),
      { ...run, id: ids.next('run') },
      'reviewer',
    )
    expect(await commands.agents.read(stranger.id, sent.id)).toMatchObject({
      ok: false,
      failure: { type: 'message-not-found' },
    })
  })

  it('is refused once its session has sent enough of them', async () => {
    const body = 'y'.repeat(1024 * 1024)
    for (let count = 0; count < 16; count += 1) await send(developer, { to: 'role:reviewer', body })
    const more = await commands.agents.post(developer.id, { type: 'send', to: 'role:reviewer', body })
    expect(more).toMatchObject({ ok: false, failure: { type: 'too-much-text' } })
  })
})

describe('the tools of a role', () => {
  const MAY_NOT = {
    ok: false,
    failure: { type: 'tool-not-allowed', role: 'reviewer', tools: ['inbox', 'send'] },
  }
  let limited: Session

  beforeEach(async () => {
    const restricted = await storeExampleRun(store, await storeExampleTask(store), ['reviewer'], {
      role: { tools: ['inbox', 'send'] },
    })
    limited = await storeVisitSession(store, trial, restricted, 'reviewer', { stage: 'review' })
  })

  it('are all that its sessions may use', async () => {
    const { agents } = commands
    expect(await agents.inbox(limited.id)).toMatchObject({ ok: true })
    expect(await agents.post(limited.id, { type: 'send', to: 'person', body: 'x' })).toMatchObject({
      ok: true,
    })
    expect(await agents.tools(limited.id)).toEqual(['inbox', 'send'])
    const refused = await Promise.all([
      agents.read(limited.id, 'msg_x'),
      agents.thread(limited.id, { limit: 10 }),
      agents.ask(limited.id, { to: 'person', question: 'which?' }),
      agents.skills(limited.id),
      agents.skill(limited.id, 'planting'),
      agents.post(limited.id, { type: 'progress', text: 'half' }),
      agents.post(limited.id, { type: 'complete', summary: 'all' }),
      agents.post(limited.id, { type: 'handoff', summary: 'half', nextSteps: '', reason: '' }),
      agents.mayUse(limited.id, 'ask'),
    ])
    for (const one of refused) expect(one).toMatchObject(MAY_NOT)
    expect(await agents.tools(reviewer.id)).toHaveLength(9)
  })

  it('are all that its outbox may use', async () => {
    const asides: string[] = []
    const file = {
      type: 'message',
      name: 'a.json',
      key: 'a',
      request: { type: 'progress', text: 'half' },
    } as const
    const outbox = {
      take: () => Promise.resolve({ files: [file], isMore: false }),
      remove: () => Promise.reject(new Error('it was accepted')),
      setAside: (_directory: string, _name: string, why: string) => Promise.resolve(void asides.push(why)),
      watch: () => ({ [Symbol.dispose]: () => undefined }),
    }
    await collectOutbox({ ...needs, outbox: outbox as never, outboxOf: () => '/nowhere' }, limited.id)
    expect(asides).toEqual([
      'the role "reviewer" may not use progress in the stage "review"; it may use: inbox, send',
    ])
  })
})
