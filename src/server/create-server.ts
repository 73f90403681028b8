import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { failureBody, statusOf } from '../contract/failure/failure-table.ts'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { ConnectionShares } from './connections/connection-shares.ts'
import { createApp } from './create-app.ts'
import { checkAddress } from './guard/check-address.ts'
import { bearerOf, isToken } from './guard/check-token.ts'
import type { ServerEnvironment, ServerNeeds, ServerTimes } from './server-needs.ts'
import { createOpenStreams } from './sse/open-streams.ts'
import { createTerminalRoute } from './terminal/create-terminal-route.ts'

export type ListenOptions = { readonly host: '127.0.0.1' | '::1'; readonly port: number }
export type Listening = { readonly url: string; readonly port: number }
export type ListenFailure = {
  readonly type: 'port-unavailable'
  readonly port: number
  readonly problem: string
}

export interface MusterServer extends AsyncDisposable {
  readonly app: OpenAPIHono<ServerEnvironment>
  /** Port 0 picks a free one. */
  listen(options: ListenOptions): Promise<Result<Listening, ListenFailure>>
  /** Ends streams, gives open responses a short time to finish, then closes the remaining connections. */
  close(): Promise<void>
}

const DEFAULT_TIMES: ServerTimes = HTTP_LIMITS

/** A client that sends slowly or never finishes is disconnected, so it can't occupy a connection. */
const REQUEST_OPTIONS = {
  requestTimeout: HTTP_LIMITS.requestMs,
  keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
  maxHeaderSize: HTTP_LIMITS.headerBytes,
  // Our own guard refuses a missing Host, in the format of every other refusal.
  requireHostHeader: false,
}

/** The API on a local socket. It does nothing until it listens. */
export function createServer(needs: ServerNeeds, overrides: Partial<ServerTimes> = {}): MusterServer {
  const times = { ...DEFAULT_TIMES, ...overrides }
  const streams = createOpenStreams()
  const shares = new ConnectionShares()
  const app = createApp({ ...needs, streams, times, shares })
  const answer = getRequestListener(app.fetch)
  const { headersMs } = times
  const limits = { ...REQUEST_OPTIONS, headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 5 }
  const server = createHttpServer(limits, (incoming, outgoing) => {
    setSecurityHeaders(outgoing)
    const refusal = checkAddress(incoming) ?? checkShare(needs, shares, incoming)
    if (refusal !== undefined) return refuseRaw(outgoing, refusal)
    answer(incoming, outgoing).catch((error: unknown) => {
      needs.log.error({ error }, 'a response could not be sent')
      outgoing.destroy()
    })
  })
  server.maxConnections = HTTP_LIMITS.connections
  server.on('connection', (socket) => shares.open(socket))
  const terminals = createTerminalRoute({
    ...needs,
    shares,
    stallMs: times.stallMs,
    findTerminal: (sessionId) => needs.queries.terminal(sessionId),
  })
  server.on('upgrade', (incoming, socket, head) => terminals.upgrade(incoming, socket, head))
  const close = async () => {
    streams.stopAll()
    terminals[Symbol.dispose]()
    await closeServer(server)
  }
  return { app, listen: (options) => listen(server, options), close, [Symbol.asyncDispose]: close }
}

/** Whose connection it is, decided by the token alone. Whether the token is for this path is the app's question. */
function checkShare(
  needs: Pick<ServerNeeds, 'token' | 'sessionOfToken'>,
  shares: ConnectionShares,
  incoming: IncomingMessage,
): ApiFailure | undefined {
  const bearer = bearerOf(incoming)
  if (bearer === undefined) return undefined
  if (isToken(bearer, needs.token)) {
    shares.assign(incoming.socket, { type: 'person' })
    return undefined
  }
  const sessionId = needs.sessionOfToken(bearer)
  if (sessionId === undefined || shares.assign(incoming.socket, { type: 'agent', sessionId }))
    return undefined
  return { type: 'too-many-connections', holder: 'agent' }
}

/** Responds without the app, which only handles requests addressed to this server. */
function refuseRaw(outgoing: ServerResponse, refusal: ApiFailure): void {
  outgoing.writeHead(statusOf(refusal), { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(JSON.stringify(failureBody(refusal)))
}

async function listen(server: HttpServer, options: ListenOptions): Promise<Result<Listening, ListenFailure>> {
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return failure({ type: 'port-unavailable', port: options.port, problem })
  }
  const { port } = server.address() as AddressInfo
  const name = options.host === '::1' ? '[::1]' : options.host
  return success({ url: `http://${name}:${port}`, port })
}

async function closeServer(server: HttpServer): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), HTTP_LIMITS.closeMs)
  await closed
  clearTimeout(timer)
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Set before anything can respond, so every response has them. */
function setSecurityHeaders(outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
}
