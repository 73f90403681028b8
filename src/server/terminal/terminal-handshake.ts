import type { IncomingMessage } from 'node:http'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { TERMINAL_BEARER, TERMINAL_PATH, terminalQuerySchema } from '../../contract/terminal.ts'
import { parseId, type SessionId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { TerminalSize } from '../../ports/terminal-host.ts'
import { checkAddress } from '../guard/check-address.ts'
import { bearerOf, isToken } from '../guard/check-token.ts'

export type TerminalHandshake = TerminalSize & {
  readonly sessionId: SessionId
  readonly readOnly: boolean
  /** Takes the keyboard from whoever has it. */
  readonly take: boolean
}

const ROUTE = new RegExp(`^${TERMINAL_PATH.replace('{id}', '([^/]+)')}$`)

/** Who may open a terminal, and how. The same guards as for all routes, in the same order. */
export function readHandshake(
  incoming: IncomingMessage,
  token: string,
): Result<TerminalHandshake, EdgeFailure> {
  const foreign = checkAddress(incoming)
  if (foreign !== undefined) return failure(foreign)
  if (!holdsToken(incoming, token)) return failure({ type: 'unauthorized' })

  const path = incoming.url ?? ''
  const url = URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost') : undefined
  if (url === undefined) return failure({ type: 'not-found', what: 'route', id: `GET ${path}`.slice(0, 200) })
  const idText = ROUTE.exec(url.pathname)?.[1]
  if (idText === undefined) {
    return failure({ type: 'not-found', what: 'route', id: `GET ${url.pathname}`.slice(0, 200) })
  }
  const sessionId = parseId('session', idText)
  if (sessionId === undefined)
    return failure({ type: 'not-found', what: 'session', id: idText.slice(0, 200) })

  const query = terminalQuerySchema.safeParse(Object.fromEntries(url.searchParams))
  if (!query.success) {
    const issues = query.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      problem: message,
    }))
    return failure({ type: 'bad-request', issues })
  }
  const { readonly: readOnly, ...asked } = query.data
  return success({ sessionId, readOnly, ...asked })
}

function holdsToken(incoming: IncomingMessage, token: string): boolean {
  const { authorization } = incoming.headersDistinct
  return isToken(authorization === undefined ? offeredToken(incoming) : bearerOf(incoming), token)
}

/** For clients that can't set headers. */
function offeredToken(incoming: IncomingMessage): string | undefined {
  const protocols = (incoming.headers['sec-websocket-protocol'] ?? '').split(',')
  const offered = protocols.map((name) => name.trim()).find((name) => name.startsWith(TERMINAL_BEARER))
  return offered?.slice(TERMINAL_BEARER.length)
}
