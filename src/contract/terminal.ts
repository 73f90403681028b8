import { z } from 'zod'
import { failureBodySchema } from './envelope.ts'
import { parseJson } from './parse-json.ts'
import { declareRoute, failureAnswer, idParams, personAccess } from './routes/declare-route.ts'
import { sessionEndSchema } from './session-end.ts'

export const TERMINAL_PATH = '/api/sessions/{id}/terminal'

/** A client that cannot set headers offers this subprotocol together with `bearer.<token>`. */
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
  /** Takes over the keyboard from another viewer. */
  take: flagSchema,
})

/** From a viewer to the daemon. */
export const viewerMessageSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('input'), text: z.string() }),
    z.object({ type: z.literal('resize'), columns: columnsSchema, rows: rowsSchema }),
    /** Stops the output until `resume`, for a viewer that cannot keep up. */
    z.object({ type: z.literal('pause') }),
    z.object({ type: z.literal('resume') }),
    /** Requests the visible screen as plain text. */
    z.object({ type: z.literal('screen') }),
  ])
  .meta({ id: 'ViewerMessage' })

const opened = z.object({ type: z.literal('opened'), sessionId: z.string(), readOnly: z.boolean() })
/** Whether a viewer holds the keyboard. */
const keyboard = z.object({ type: z.literal('keyboard'), taken: z.boolean() })
/** The requested screen, or the last one, just before `ended`. */
const screen = z.object({ type: z.literal('screen'), text: z.string() })
const ended = z.object({ type: z.literal('ended'), end: sessionEndSchema })
const refused = z.object({ type: z.literal('refused'), error: failureBodySchema.shape.error })

/** From the daemon to a viewer. */
export const terminalMessageSchema = z
  .discriminatedUnion('type', [opened, keyboard, screen, ended, refused])
  .meta({ id: 'TerminalMessage' })

/** Clients parse with this instead, so an unknown end or refusal of a newer daemon does not break them. */
const receivedMessageSchema = z.discriminatedUnion('type', [
  opened,
  keyboard,
  screen,
  ended.extend({
    end: sessionEndSchema.catch({ type: 'lost', reason: 'the daemon did not report why' }),
  }),
  refused.extend({
    error: refused.shape.error.catch({ type: 'unknown', message: 'The daemon refused the connection.' }),
  }),
])

export type ViewerMessage = z.output<typeof viewerMessageSchema>
export type TerminalMessage = z.output<typeof terminalMessageSchema>

/**
 * The terminal in the OpenAPI document, which has no notation for WebSockets: an ordinary GET that switches protocols,
 * with both kinds of messages as the schema of its answer. It isn't among `allRoutes`, because the app doesn't serve it: the HTTP
 * server's upgrade handler does.
 */
export const terminalRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: TERMINAL_PATH,
  summary: 'Attach to the terminal of an interactive session, over a WebSocket',
  description: [
    "Binary frames are raw bytes: the program's output, and the viewer's input. Text frames are JSON: the viewer sends",
    '`ViewerMessage`, the daemon sends `TerminalMessage`. Ignore messages that you do not know. A client that cannot set',
    `headers offers the subprotocols \`${TERMINAL_PROTOCOL}\` and \`${TERMINAL_BEARER}<token>\`.`,
    `Close codes: ${closeCodes()}.`,
  ].join(' '),
  request: { params: idParams, query: terminalQuerySchema },
  responses: {
    101: {
      description: 'The connection is now a WebSocket',
      content: {
        'application/x-websocket': {
          schema: z.object({ send: viewerMessageSchema, receive: terminalMessageSchema }),
        },
      },
    },
    default: failureAnswer,
  },
})

function closeCodes(): string {
  const causes = Object.entries(TERMINAL_CLOSE)
  return causes
    .map(([cause, code]) => `${code} ${cause.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(', ')
}

/** Returns undefined for text that is not a message of this version. */
export function parseViewerMessage(text: string): ViewerMessage | undefined {
  return viewerMessageSchema.safeParse(parseJson(text)).data
}

/** Returns undefined for text that is not a message of this version. */
export function parseTerminalMessage(text: string): TerminalMessage | undefined {
  return receivedMessageSchema.safeParse(parseJson(text)).data
}
