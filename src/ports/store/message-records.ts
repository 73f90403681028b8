import type { JobId, MessageId, SessionId } from '../../domain/id.ts'
import type { Claim, Message, Sender } from '../../domain/message/message.ts'
import type { MessageKind } from '../../domain/message/message-content.ts'
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
}

/** Contract: the schema allows one message per sender and dedupe key. */
export interface MessageRecords {
  insert(message: Message, change: Change): Promise<Message>
  /** Stores the receipt and its times, if the row has the same version; nothing else of a message changes. */
  save(message: Message, change: Change): Promise<Message>
  find(id: MessageId): Promise<Message | undefined>
  findByKey(sender: Sender, dedupeKey: string): Promise<Message | undefined>
  findAnswer(question: MessageId): Promise<Message | undefined>
  /** The last message in which a session claimed to be done. */
  findClaim(sender: SessionId): Promise<Claim | undefined>
  /** How many messages a sender has sent. Other transactions that count the same sender wait until this one ends. */
  countFrom(sender: Sender): Promise<number>
  /**
   * The messages that a session should read, oldest first: those to its addresses within its job that are not
   * acknowledged, and that were delivered to no one, to the session itself, or to a session that has ended.
   */
  listDue(session: Session, limit: number): Promise<readonly Message[]>
  /** What a session sent to the engine and the engine has not processed yet, oldest first. */
  listForEngine(sender: SessionId): Promise<readonly Message[]>
  /** Unacknowledged messages to a session's own id. */
  listUnread(recipient: SessionId): Promise<readonly Message[]>
  /** Unacknowledged messages to the agents and roles of a job, and its agents' open questions to a person, oldest first. */
  listWaiting(jobId: JobId): Promise<readonly Message[]>
  /** Newest first. */
  list(filter: MessageFilter, page: PageRequest): Promise<readonly Message[]>
}
