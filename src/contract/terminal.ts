import { z } from 'zod'
import { failureBodySchema } from './envelope.ts'
import { parseJson } from './parse-json.ts'
import { sessionEndSchema } from './session-end.ts'

/*
 * A session's terminal is a WebSocket. Binary frames are bytes: what the program draws, and what the viewer types.
 * Text frames are the JSON messages below. Both sides ignore messages they do not know, so versions may differ.
 */

export const TERMINAL_PATH = '/api/sessions/{id}/terminal'

/** A client that cannot set headers offers this subprotocol, and beside it `bearer.<token>`. */
export const TERMINAL_PROTOCOL = 'muster-terminal'
export const TERMINAL_BEARER = 'bearer.'

/** Why the daemon closes a connection. */
export const TERMINAL_CLOSE = {
  ended: 1000,
  daemonStops: 1001,
  broken: 1011,
  tooManyViewers: 1013,
  keyboardTaken: 4001,
  refused: 4004,
} as const

const columnsSchema = z.coerce.number().int().min(2).max(1_000)
const rowsSchema = z.coerce.number().int().min(2).max(500)
const flagSchema = z
  .string()
  .optional()
  .transform((text) => text !== undefined && text !== 'false' && text !== '0')

export const terminalQuerySchema = z.object({
  columns: columnsSchema.default(80),
  rows: rowsSchema.default(24),
  readonly: flagSchema,
  /** Takes the keyboard from whoever has it. */
  take: flagSchema,
})

const viewerMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), text: z.string() }),
  z.object({ type: z.literal('resize'), columns: columnsSchema, rows: rowsSchema }),
  /** Send nothing until `resume`: for a viewer that cannot keep up. */
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('resume') }),
  /** Asks for the visible screen as plain text. */
  z.object({ type: z.literal('screen') }),
])

const UNKNOWN_END = { type: 'lost', reason: 'the daemon did not say how' } as const
const UNKNOWN_REFUSAL = { type: 'unknown', message: 'The daemon refused the connection.' }

const terminalMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), sessionId: z.string(), readOnly: z.boolean() }),
  /** Whether someone is at the keyboard. */
  z.object({ type: z.literal('keyboard'), taken: z.boolean() }),
  /** As requested, or the last one just before `ended`. */
  z.object({ type: z.literal('screen'), text: z.string() }),
  z.object({ type: z.literal('ended'), end: sessionEndSchema.catch(UNKNOWN_END) }),
  z.object({ type: z.literal('refused'), error: failureBodySchema.shape.error.catch(UNKNOWN_REFUSAL) }),
])

/** From a viewer to the daemon. */
export type ViewerMessage = z.output<typeof viewerMessageSchema>

/** From the daemon to a viewer. */
export type TerminalMessage = z.output<typeof terminalMessageSchema>

/** Undefined for text that is not a message of this version. */
export function parseViewerMessage(text: string): ViewerMessage | undefined {
  return viewerMessageSchema.safeParse(parseJson(text)).data
}

/** Undefined for text that is not a message of this version. */
export function parseTerminalMessage(text: string): TerminalMessage | undefined {
  return terminalMessageSchema.safeParse(parseJson(text)).data
}
