import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { failureBody } from '../contract/failure/failure-body.ts'
import { statusOf } from '../contract/failure/failure-table.ts'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { createApp } from './create-app.ts'
import { checkAddress } from './guard/check-address.ts'
import { setSecurityHeaders } from './guard/security-headers.ts'
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
  /** Port 0 takes any free one. */
  listen(options: ListenOptions): Promise<Result<Listening, ListenFailure>>
  /** Ends streams, lets answers that have begun finish for a short time, then cuts what is left. */
  close(): Promise<void>
}

const DEFAULT_TIMES: ServerTimes = HTTP_LIMITS

/** A client that sends slowly, or never finishes, is let go instead of being held a place for. */
const REQUEST_OPTIONS = {
  requestTimeout: HTTP_LIMITS.requestMs,
  keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
  maxHeaderSize: HTTP_LIMITS.headerBytes,
  // A missing Host is refused by our own guard, in the form of every other refusal.
  requireHostHeader: false,
}

/** The API on a socket of this machine. Holds nothing until it listens. */
export function createServer(needs: ServerNeeds, partOfTimes: Partial<ServerTimes> = {}): MusterServer {
  const times = { ...DEFAULT_TIMES, ...partOfTimes }
  const streams = createOpenStreams()
  const app = createApp({ ...needs, streams, times })
  const answer = getRequestListener(app.fetch)
  const { headersMs } = times
  const limits = { ...REQUEST_OPTIONS, headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 5 }
  const server = createHttpServer(limits, (incoming, outgoing) => {
    setSecurityHeaders(outgoing)
    const refusal = checkAddress(incoming)
    if (refusal !== undefined) return refuseRaw(outgoing, refusal)
    answer(incoming, outgoing).catch((error: unknown) => {
      needs.log.error({ error }, 'an answer could not be sent')
      outgoing.destroy()
    })
  })
  server.maxConnections = HTTP_LIMITS.connections
  const terminals = createTerminalRoute({
    ...needs,
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

/** Answers without the app, which is only asked by those who address this server. */
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
