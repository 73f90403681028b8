import type { MessageRequest } from '../domain/message/message-request.ts'
import type { Result } from '../domain/result.ts'

/** Parses the message in a file's text, or returns what is wrong with it: `parseMessageRequest` of the contract. */
export type ParseMessage = (text: string) => Result<MessageRequest, string>

/** One file that an agent left; `key` is the same whenever this exact file is read. */
export type OutboxFile = { readonly name: string; readonly key: string } & (
  | { readonly type: 'message'; readonly request: MessageRequest }
  | { readonly type: 'unusable'; readonly reason: string }
)

export type OutboxTake = {
  /** In order of their names. */
  readonly files: readonly OutboxFile[]
  readonly isMore: boolean
}

/**
 * The folder in which an agent without any other channel leaves messages: one JSON file each, moved into place by a
 * rename and processed in order of names. Names that begin with a dot or don't end in `.json` are ignored.
 *
 * Contract: whatever the agent puts there, nothing blocks, no link is followed out of the folder, and every read is
 * bounded. `take` changes nothing: a file stays until `remove` or `setAside`, and both accept a file that is gone. A
 * missing folder counts as empty. `watch` may call back for no reason, and never throws.
 */
export interface Outbox {
  prepare(directory: string): Promise<void>
  take(directory: string): Promise<OutboxTake>
  /** Leaves a newer file of the same name in place. */
  remove(directory: string, file: OutboxFile): Promise<void>
  /** Moves an unusable file out of the folder, next to a file that explains why. */
  setAside(directory: string, name: string, reason: string): Promise<void>
  watch(directory: string, onChange: () => void): Disposable
}
