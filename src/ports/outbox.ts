import type { MessageRequest } from '../domain/message/message-request.ts'
import type { Result } from '../domain/result.ts'

/** Reads the message in a file's text, or says what is wrong with it: `parseMessageRequest` of the contract. */
export type ParseMessage = (text: string) => Result<MessageRequest, string>

/** One file an agent left; `key` is the same whenever this very file is looked at. */
export type OutboxFile = { readonly name: string; readonly key: string } & (
  | { readonly type: 'message'; readonly request: MessageRequest }
  | { readonly type: 'unusable'; readonly reason: string }
)

export type OutboxTake = {
  /** In the order of their names. */
  readonly files: readonly OutboxFile[]
  readonly isMore: boolean
}

/**
 * The folder in which an agent without any other way leaves messages: one JSON file each, put in place by a
 * rename, taken in the order of names. Names that begin with a dot or do not end in `.json` are not looked at.
 *
 * Contract: whatever the agent puts there, nothing blocks, nothing is followed out of the folder and nothing
 * without a bound is read. `take` changes nothing: a file is there until `remove` or `setAside`, both of which
 * are no errors when it is gone. An absent folder is an empty one. `watch` may call back without need and never
 * throws.
 */
export interface Outbox {
  prepare(directory: string): Promise<void>
  take(directory: string): Promise<OutboxTake>
  /** Leaves alone what has taken its name since. */
  remove(directory: string, file: OutboxFile): Promise<void>
  /** Moves what cannot be used out of the folder, beside a file that says why. */
  setAside(directory: string, name: string, reason: string): Promise<void>
  watch(directory: string, onChange: () => void): Disposable
}
