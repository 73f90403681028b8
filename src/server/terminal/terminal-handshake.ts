import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { parseId, type SessionId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { TerminalSize } from '../../ports/terminal-host.ts'
import { checkAddress } from '../guard/check-address.ts'
import { parseSize } from './terminal-message.ts'

export type TerminalHandshake = TerminalSize & {
  readonly sessionId: SessionId
  readonly readOnly: boolean
  /** Takes the keyboard from whoever has it. */
  readonly take: boolean
  /** The head of the answer that makes the connection a WebSocket. */
  readonly answer: string
}

/** Spoken by clients that cannot set headers: they name it beside `bearer.<token>`. */
const PROTOCOL = 'muster-terminal'
const BEARER = 'bearer.'
const ROUTE = /^\/api\/sessions\/([^/]+)\/terminal$/
const ACCEPT_SALT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const KEY = /^[+/0-9A-Za-z]{22}==$/

/** Who may open a terminal and how it is wished for. The same guards as for all routes, in the same order. */
export function readHandshake(
  incoming: IncomingMessage,
  token: string,
): Result<TerminalHandshake, EdgeFailure> {
  const foreign = checkAddress(incoming)
  if (foreign !== undefined) return failure(foreign)
  const protocols = offeredProtocols(incoming)
  if (!holdsToken(incoming, protocols, token)) return failure({ type: 'unauthorized' })

  const url = new URL(incoming.url ?? '', 'http://localhost')
  const idText = ROUTE.exec(url.pathname)?.[1]
  const sessionId = idText === undefined ? undefined : parseId('session', idText)
  if (idText === undefined) {
    return failure({ type: 'not-found', what: 'route', id: `GET ${url.pathname}`.slice(0, 200) })
  }
  if (sessionId === undefined)
    return failure({ type: 'not-found', what: 'session', id: idText.slice(0, 200) })

  const query = url.searchParams
  const size = parseSize(query.get('columns') ?? 80, query.get('rows') ?? 24)
  if (size === undefined) return invalid('columns, rows', 'are no size of a screen')
  const key = incoming.headers['sec-websocket-key'] ?? ''
  if (!isUpgrade(incoming) || !KEY.test(key)) return invalid('upgrade', 'is not to WebSocket version 13')
  const answer = answerHead(key, protocols)
  return success({
    sessionId,
    ...size,
    readOnly: isSet(query, 'readonly'),
    take: isSet(query, 'take'),
    answer,
  })
}

function isUpgrade(incoming: IncomingMessage): boolean {
  const { upgrade, 'sec-websocket-version': version } = incoming.headers
  return incoming.method === 'GET' && upgrade?.toLowerCase() === 'websocket' && version === '13'
}

function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value !== 'false' && value !== '0'
}

function offeredProtocols(incoming: IncomingMessage): readonly string[] {
  const sent = incoming.headers['sec-websocket-protocol'] ?? ''
  return sent
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function holdsToken(incoming: IncomingMessage, protocols: readonly string[], token: string): boolean {
  const { authorization: sent = [] } = incoming.headersDistinct
  const [, bearer] = /^Bearer (\S+)$/i.exec(sent[0] ?? '') ?? []
  const offered = protocols.find((name) => name.startsWith(BEARER))?.slice(BEARER.length)
  const given = sent.length === 0 ? offered : sent.length === 1 ? bearer : undefined
  return given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
}

/** Digests have one length and tell nothing of the token, so comparing them takes the same time always. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A client that offers protocols wants one of them back; the token is repeated only if there is no other. */
function answerHead(key: string, protocols: readonly string[]): string {
  const accept = createHash('sha1').update(`${key}${ACCEPT_SALT}`).digest('base64')
  const chosen = protocols.includes(PROTOCOL) ? PROTOCOL : protocols.find((name) => name.startsWith(BEARER))
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(chosen === undefined ? [] : [`Sec-WebSocket-Protocol: ${chosen}`]),
    '\r\n',
  ].join('\r\n')
}

function invalid(field: string, problem: string): Result<never, EdgeFailure> {
  return failure({ type: 'bad-request', issues: [{ field, problem }] })
}
