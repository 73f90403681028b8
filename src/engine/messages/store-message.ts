import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import type { EventPlace } from '../../domain/event/event-place.ts'
import type { RunId, SessionId } from '../../domain/id.ts'
import { acknowledgedAtOnce } from '../../domain/message/acknowledged-at-once.ts'
import { type Message, runOf } from '../../domain/message/message.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'
import { messageChange } from '../receipts/message-change.ts'
import { findRunOf } from './author.ts'
import { findReaders } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { insertMessage, type NewMessage } from './new-message.ts'
import { rolesOfRun } from './run-roles.ts'

export type Stored = {
  readonly message: Message
  /** The live sessions that may read it. */
  readonly readers: readonly SessionId[]
}

type Needs = Pick<MessageNeeds, 'ids' | 'wakeAt'>

export type Sending = {
  readonly actor: AuditEntry['actor']
  readonly place?: EventPlace | undefined
  /** Replaces the event that a message was sent. */
  readonly event?: NewEvent | undefined
}

/** Stores a message in the caller's transaction, with a copy for each recipient if it is a broadcast. */
export async function storeMessage(
  needs: Needs,
  records: Records,
  { message, whole }: NewMessage,
  { actor, place, event }: Sending,
): Promise<Stored> {
  const change = messageChange(message, actor, 'message_sent', place)
  const made = whole === undefined ? { message } : { message, whole }
  await insertMessage(records, made, event === undefined ? change : { ...change, events: [event] })
  if (message.deadline !== undefined) {
    needs.wakeAt(message.deadline, { type: 'message-expire', messageId: message.id })
  }
  const sent = message.recipient === 'broadcast' ? await storeCopies(needs, records, message) : [message]
  const readers = new Set<SessionId>()
  for (const one of sent) for (const { id } of await findReaders(records, one)) readers.add(id)
  return { message, readers: [...readers] }
}

/** A broadcast isn't read itself, so it needs no receipt. */
export function asSent(made: NewMessage, isSettled: boolean): NewMessage {
  const isDone = isSettled || made.message.recipient === 'broadcast'
  return isDone ? { ...made, message: acknowledgedAtOnce(made.message) } : made
}

/** The copies are part of the broadcast's change: each has a receipt of its own, and later changes of that are stored. */
async function storeCopies(needs: Needs, records: Records, message: Message): Promise<readonly Message[]> {
  const { deadline: _, dedupeKey: __, deliveredAt: ___, endedAt: ____, ...shared } = message
  const copies: Message[] = []
  for (const recipient of await recipientsOf(records, message)) {
    const id = needs.ids.next('message')
    const copy: Message = { ...shared, id, recipient, broadcastId: message.id, state: { type: 'queued' } }
    const { audit } = messageChange(copy, 'engine', 'message_sent')
    copies.push(await records.messages.insert(copy, { audit }))
  }
  return copies
}

/**
 * Everyone in the run but the sender: each role once, so that a session that starts later gets it too, or each session
 * of a role that several sessions play now.
 */
async function recipientsOf(records: Records, message: Message): Promise<readonly Recipient[]> {
  const runId = runOf(message)
  if (runId === undefined || message.jobId === undefined) return []
  const live = await sessionsOfRun(records, await records.sessions.listLive(message.jobId), runId)
  const roles = new Set([...(await rolesOfRun(records, runId)), ...live.map(({ role }) => role)])
  return [...roles].flatMap((role): readonly Recipient[] => {
    const playing = live.filter((session) => session.role === role)
    const others = playing.filter(({ id }) => id !== message.sender)
    const isSendersAlone = role === message.senderRole && others.length === 0
    if (isSendersAlone) return []
    return playing.length > 1 ? others.map(({ id }) => id) : [`role:${role}` as const]
  })
}

async function sessionsOfRun(
  records: Records,
  live: readonly Session[],
  runId: RunId,
): Promise<readonly Session[]> {
  const found: Session[] = []
  for (const session of live) {
    if (rulesOf(session).takesMessages && (await findRunOf(records, session)) === runId) found.push(session)
  }
  return found
}
