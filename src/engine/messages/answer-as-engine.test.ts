import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ExampleTask,
  endExampleSession,
  ids,
  storeExampleSession,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Message } from '../../domain/message/message.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import type { ClearNeeds } from '../sessions/purposes/session-plan.ts'
import { answerAsEngine } from './answer-as-engine.ts'
import { createMessageCommands, type MessageCommands } from './message-commands.ts'
import type { MessageNeeds } from './message-needs.ts'
import { createWaitingReaders } from './waiting-readers.ts'

let database: Kysely<Database>
let store: Store
let needs: MessageNeeds
let commands: MessageCommands
let trial: ExampleTask
let asker: Session
let question: Message

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const nothing = () => Promise.resolve()
  needs = {
    store,
    feed: { subscribe: () => ({ [Symbol.dispose]: () => undefined }) },
    ids,
    clock: { now: () => new Date() },
    log: silentLog,
    redact: (text) => text,
    waitingReaders: createWaitingReaders(),
    awaitedAnswers: new Set(),
    wakeAt: () => undefined,
    onMessage: nothing,
    onHandoff: nothing,
    onComplete: nothing,
    onQuestion: nothing,
  }
  const history = { listFiles: () => Promise.resolve([]), readFile: () => Promise.resolve(undefined) }
  commands = createMessageCommands({ ...needs, history })
})

afterAll(() => database.destroy())

beforeEach(async () => {
  trial = await storeExampleTask(store)
  await storeExampleSession(store, trial)
  asker = await storeExampleSession(store, trial, { number: 2 })
  const asked = await commands.agents.post(asker.id, { type: 'ask', to: 'predecessor', question: 'why?' })
  if (!asked.ok) throw new Error(asked.failure.type)
  question = asked.value
})

/** What the asker reads after the session that was asked has ended its turn with this text. */
async function answerFor(text: string): Promise<string | undefined> {
  const agent = { name: 'one', provider: 'claude-code', roles: [], env: [] }
  const query = await storeExampleSession(store, trial, {
    number: 3,
    conversation: { ...NO_CONVERSATION, turn: { type: 'done', text } },
    purpose: {
      type: 'query',
      of: ids.next('session'),
      question: 'why?',
      agent,
      timeMs: 1_000,
      replyTo: question.id,
    },
  })
  const clearNeeds: Partial<ClearNeeds> = {
    store,
    answerMessage: (id, answer) => answerAsEngine(needs, id, answer),
  }
  await planOf(query).clear(clearNeeds as ClearNeeds)
  // Clearing up may happen twice.
  await planOf(query).clear(clearNeeds as ClearNeeds)
  const inbox = await commands.agents.inbox(asker.id)
  if (!inbox.ok) throw new Error(inbox.failure.type)
  expect(inbox.value).toHaveLength(1)
  return inbox.value[0]?.body
}

describe('the answer of a session that was asked', () => {
  it('says that there is no answer if its text is empty', async () => {
    const none = 'There is no answer: the session that was asked finished without writing anything.'
    expect(await answerFor('')).toBe(none)
  })

  it.each([
    ['one byte', 'x'],
    ['several bytes', '€'],
  ])('is shortened if it is too long, in characters of %s', async (_, character) => {
    const answer = (await answerFor(character.repeat(70_000))) ?? ''
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(MESSAGE_LIMITS.bodyBytes)
    expect(answer).toMatch(/^(x+|€+)\n\[shortened: \d+ more bytes\]$/)
  })

  it('is not needed once the asker has ended', async () => {
    await endExampleSession(store, asker)
    await answerAsEngine(needs, question.id, 'too late')
    expect(await store.read.messages.findAnswer(question.id)).toBeUndefined()
  })

  it('is an error if it cannot be stored for another reason', async () => {
    await expect(answerAsEngine(needs, question.id, ' ')).rejects.toThrow('the message is empty')
  })
})
