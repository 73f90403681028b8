import type { Conversation } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import type { JsonObject } from './json-object.ts'
import type { Reply } from './reply.ts'

/** What a wire needs to know of a request to answer it. */
export type Asked = { readonly path: string; readonly body: JsonObject }

/** One provider's format of requests and replies over HTTP. */
export interface Wire {
  readonly name: string
  matches(path: string): boolean
  read(body: JsonObject): Conversation
  isStreamed(asked: Asked): boolean
  /** The whole reply at once. */
  whole(asked: Asked, reply: Reply): unknown
  /** The reply in events. `pause` resolves when nothing hinders going on, or never does: then the client left. */
  stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void>
  /** The body with which such a service answers an error of this status. */
  error(status: number, message: string): unknown
}
