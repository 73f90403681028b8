import type { JobId, MessageId, SessionId } from '../../domain/id.ts'
import type { Message, MessageKind, Sender } from '../../domain/message/message.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from './change.ts'
import type { PageRequest } from './page.ts'

export type MessageFilter = {
  readonly jobId?: JobId
  /** From it, or addressed to it by its own id. */
  readonly sessionId?: SessionId
  readonly sender?: Sender
  readonly recipient?: Recipient
  readonly kind?: MessageKind
}

/** Contract: the schema allows one message per sender and dedupe key. */
export interface MessageRecords {
  insert(message: Message, change: Change): Promise<Message>
  /** Stores the receipt and its times, if the row is at the message's version; nothing else of a message changes. */
  save(message: Message, change: Change): Promise<Message>
  find(id: MessageId): Promise<Message | undefined>
  findByKey(sender: Sender, dedupeKey: string): Promise<Message | undefined>
  findAnswer(question: MessageId): Promise<Message | undefined>
  /** The last message of a kind that a session sent. */
  findLatest(sender: Sender, kind: MessageKind): Promise<Message | undefined>
  /** How many a sender has sent. Other transactions that ask about the same sender wait until this one ends. */
  countFrom(sender: Sender): Promise<number>
  /**
   * What a session has to read, oldest first: messages to its addresses within its job that nobody was given, that
   * it was given itself, or that a session which is over was given, and that are not acknowledged.
   */
  listDue(session: Session, limit: number): Promise<readonly Message[]>
  /** What a session sent to the engine and the engine has not acted on yet, oldest first. */
  listForEngine(sender: SessionId): Promise<readonly Message[]>
  /** Messages to a session by its own id that are not acknowledged. */
  listUnread(recipient: SessionId): Promise<readonly Message[]>
  /** Newest first. */
  list(filter: MessageFilter, page: PageRequest): Promise<readonly Message[]>
}
