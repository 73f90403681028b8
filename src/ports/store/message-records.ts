import type { JobId, MessageId, RunId, SessionId } from '../../domain/id.ts'
import type { Claim, Message, Sender, ThreadId, WholeBody } from '../../domain/message/message.ts'
import type { MessageKind } from '../../domain/message/message-content.ts'
import type { MessageType } from '../../domain/message/message-type.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from './change.ts'
import type { PageRequest } from './page.ts'

export type MessageFilter = {
  readonly jobId?: JobId
  /** Sent by it, or addressed to its id. */
  readonly sessionId?: SessionId
  readonly sender?: Sender
  readonly recipient?: Recipient
  readonly kind?: MessageKind
  readonly type?: MessageType
  readonly threadId?: ThreadId
  /** From or to this role. */
  readonly role?: string
  /** Stored at this time or later. */
  readonly since?: Date
  /** Without the copies of broadcasts, so that a conversation has each of its messages once. */
  readonly isConversation?: boolean
}

/** Contract: the schema allows one message per sender and dedupe key. */
export interface MessageRecords {
  insert(message: Message, change: Change): Promise<Message>
  /** Stores a long text, before the messages that refer to it. It is part of their change. */
  insertBody(body: WholeBody): Promise<void>
  findBody(id: MessageId): Promise<string | undefined>
  /** How many bytes of long texts a sender's messages refer to, each text counted once. */
  wholeBytesFrom(sender: Sender): Promise<number>
  /** Stores the receipt, its times and `overdueAt`, if the row has the same version; nothing else of a message changes. */
  save(message: Message, change: Change): Promise<Message>
  find(id: MessageId): Promise<Message | undefined>
  findByKey(sender: Sender, dedupeKey: string): Promise<Message | undefined>
  findAnswer(question: MessageId): Promise<Message | undefined>
  /** The messages that need a reply of which there is none: the message itself, or the copies of a broadcast. */
  listUnreplied(id: MessageId): Promise<readonly Message[]>
  /** Messages with a deadline and without a reply whose senders haven't been told, the nearest deadline first. */
  listDeadlines(limit: number): Promise<readonly Message[]>
  /** The last message in which a session claimed to be done. */
  findClaim(sender: SessionId): Promise<Claim | undefined>
  /** How many messages a sender has sent. Other transactions that count the same sender wait until this one ends. */
  countFrom(sender: Sender): Promise<number>
  /**
   * The messages that a session should read, by priority and then oldest first: those to its addresses within its job,
   * and within its run if it is part of one, that are not acknowledged, and that were delivered to no one, to the
   * session itself, or to a session that has ended.
   */
  listDue(session: Session, runId: RunId | undefined, limit: number): Promise<readonly Message[]>
  /** What a session sent to the engine and the engine has not processed yet, oldest first. */
  listForEngine(sender: SessionId): Promise<readonly Message[]>
  /** Unacknowledged messages to a session's own id. */
  listUnread(recipient: SessionId): Promise<readonly Message[]>
  /** Unacknowledged messages to the agents and roles of a job, and its agents' open questions to a person, oldest first. */
  listWaiting(jobId: JobId): Promise<readonly Message[]>
  /** Newest first. */
  list(filter: MessageFilter, page: PageRequest): Promise<readonly Message[]>
}
