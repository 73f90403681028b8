import type { Conversation } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import type { JsonObject } from './json-object.ts'
import type { Reply } from './reply.ts'

/** What a format needs from a request to answer it. */
export type Asked = { readonly path: string; readonly body: JsonObject }

/** The format of one service's requests and replies over HTTP. */
export interface Wire {
  readonly name: string
  matches(path: string): boolean
  read(body: JsonObject): Conversation
  isStreamed(asked: Asked): boolean
  /** The whole reply in one body. */
  whole(asked: Asked, reply: Reply): unknown
  /** Streams the reply as events. `pause` resolves when the reply may continue, or never if the client left. */
  stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void>
  /** The body of the service's error response with this status. */
  error(status: number, message: string): unknown
}
