import { expect, it } from 'vitest'
import type { Id } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import { sampleId, sampleSession } from '../testing/sample-records.ts'
import { openQuestions } from './open-questions.ts'

const session = sampleSession()

function question(rest: Partial<Message> = {}): Message {
  return {
    id: `msg_${'0'.repeat(20)}` as Id<'message'>,
    sender: session.id,
    recipient: 'person',
    kind: 'question',
    subject: '',
    body: '\n which one?\nthe first or the second',
    metadata: {},
    state: { type: 'queued' },
    version: 1,
    createdAt: new Date(0),
    ...rest,
  }
}

async function openOf(messages: readonly Message[]) {
  const { read } = createMemoryStore()
  const store = { read: { ...read, messages: { ...read.messages, list: async () => messages } } }
  return await openQuestions({ store }, [session])
}

it('are told by their first line, with who asks and at which task', async () => {
  const [open] = await openOf([question()])
  expect(open).toMatchObject({ id: question().id, text: 'which one?' })
  expect(open?.asker).toMatch(/^t\d+-\d+ \(mine\)$/)
})

it('are those that nobody answered and whose asker is still there', async () => {
  const answered = question({ state: { type: 'acknowledged', by: 'person' } })
  const orphan = question({ sender: sampleId('session', 9) })
  expect(await openOf([answered, orphan])).toEqual([])
})
