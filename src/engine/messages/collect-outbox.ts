import type { SessionId } from '../../domain/id.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import { describeMessageFailure } from '../../domain/message/message-failure.ts'
import { nextMessageState } from '../../domain/message/next-message-state.ts'
import { redactValue } from '../../domain/redaction/redact-value.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Outbox, OutboxFile } from '../../ports/outbox.ts'
import { messageChange } from '../receipts/message-change.ts'
import { findAuthor } from './author.ts'
import { findSent } from './find-sent.ts'
import type { MessageNeeds } from './message-needs.ts'
import { insertMessage, newMessage } from './new-message.ts'
import { postRequest } from './post-request.ts'
import { refuseTool } from './refuse-tool.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'

type Needs = MessageNeeds & {
  readonly outbox: Outbox
  /** Where a session's agent leaves its messages. */
  readonly outboxOf: (sessionId: SessionId) => string
}

/** An agent that never stops writing must not keep the collector busy forever; the next call continues. */
const MOST_ROUNDS = 16

/**
 * Turns the files in an agent's outbox into messages, and acts on messages that an earlier daemon stored but did not
 * act on. A file is removed after its message is stored. A crash in between stores nothing twice, because the file's
 * key is the same.
 */
export async function collectOutbox(needs: Needs, sessionId: SessionId): Promise<void> {
  await settleEngineMessages(needs, sessionId)
  const directory = needs.outboxOf(sessionId)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { files, isMore } = await needs.outbox.take(directory)
    for (const file of files) await collect(needs, sessionId, directory, file)
    if (!isMore || files.length === 0) return
  }
}

async function collect(
  needs: Needs,
  sessionId: SessionId,
  directory: string,
  file: OutboxFile,
): Promise<void> {
  const shown = redactValue(file, needs.redact)
  const problem = await post(needs, sessionId, shown)
  if (problem === undefined) return await needs.outbox.remove(directory, file)
  await storeProblem(needs, sessionId, shown, problem)
  await needs.outbox.setAside(directory, file.name, problem)
}

/** Posts a file as a message. Returns what is wrong with it, or undefined if the message is stored. */
async function post(needs: Needs, sessionId: SessionId, file: OutboxFile): Promise<string | undefined> {
  if (file.type === 'unusable') return file.reason
  const refused = await refuseTool(needs.store.read, sessionId, file.request.type)
  if (refused !== undefined) return describeMessageFailure(refused)
  const posted = await postRequest(needs, sessionId, { ...file.request, key: file.request.key ?? file.key })
  return posted.ok ? undefined : describeMessageFailure(posted.failure)
}

/** Stores a refused file as a failed message, so that its sender and watchers see it. It counts like any message. */
async function storeProblem(
  needs: Needs,
  sessionId: SessionId,
  file: OutboxFile,
  reason: string,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const author = await findAuthor(records, sessionId)
    if (author === undefined) return
    const { count, dedupeKey, known } = await findSent(records, sessionId, `failed:${file.key}`)
    if (known !== undefined || count >= MESSAGE_LIMITS.perSession) return
    const { jobId, role: senderRole } = author.session
    const envelope = { sender: sessionId, senderRole, ...withoutUndefined({ jobId, dedupeKey }) }
    const subject = `outbox: ${file.name}`
    const content = { kind: 'text', metadata: {} } as const
    const made = newMessage(needs, envelope, { recipient: 'engine', content, subject, body: reason })
    if (!made.ok) return
    const state = nextMessageState(made.value.message.state, { type: 'message-fail', reason })
    if (!state.ok) return
    const { message: sent } = made.value
    const message = { ...sent, state: state.value, endedAt: sent.createdAt }
    const change = messageChange(message, 'engine', 'message_failed', author.place)
    await insertMessage(records, { ...made.value, message }, change)
  })
}
