import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { failureBody, statusOf } from '../../contract/failure/failure-table.ts'
import { TERMINAL_BEARER, TERMINAL_CLOSE, TERMINAL_PROTOCOL } from '../../contract/terminal.ts'
import type { SessionId } from '../../domain/id.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'
import type { ConnectionShares } from '../connections/connection-shares.ts'
import { Keyboards } from './keyboards.ts'
import { serveViewer, type ViewerNeeds } from './serve-viewer.ts'
import { readHandshake } from './terminal-handshake.ts'

export type TerminalRouteNeeds = Pick<ViewerNeeds, 'terminals' | 'log' | 'findTerminal'> & {
  readonly token: string
  /** Someone took a session's keyboard, or the last one left it. Must not throw. */
  onAttended(sessionId: SessionId, attended: boolean): void
  readonly stallMs?: number
  readonly shares?: Pick<ConnectionShares, 'assign'>
}

/** Sessions' terminals over WebSocket. Disposing it disconnects all viewers; the sessions continue. */
export interface TerminalRoute extends Disposable {
  /** For the `upgrade` event of the HTTP server; responds to every upgrade, even those not meant for it. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
}

const SOCKET_OPTIONS = {
  noServer: true,
  maxPayload: HTTP_LIMITS.frameBytes,
  maxFragments: 1_000,
  perMessageDeflate: false,
  /** How long the other end may take to confirm a close. */
  closeTimeout: 2_000,
}

export function createTerminalRoute(needs: TerminalRouteNeeds): TerminalRoute {
  const keyboards = new Keyboards(needs)
  const viewerNeeds: ViewerNeeds = { ...needs, keyboards, stallMs: needs.stallMs ?? HTTP_LIMITS.stallMs }
  const server = new WebSocketServer({ ...SOCKET_OPTIONS, handleProtocols: chooseProtocol })
  server.on('wsClientError', (error, socket) =>
    refuseRaw(socket, { type: 'bad-request', issues: [{ field: 'upgrade', problem: error.message }] }),
  )
  return {
    upgrade(incoming, socket, head) {
      const handshake = readHandshake(incoming, needs.token)
      if (!handshake.ok) return refuseRaw(socket, handshake.failure)
      if (needs.shares?.assign(socket, { type: 'stream' }) === false)
        return refuseRaw(socket, { type: 'too-many-connections', holder: 'stream' })
      server.handleUpgrade(incoming, socket, head, (viewer) => {
        // ws closes the connection of a client that violates the protocol, and sends it the reason.
        viewer.on('error', () => {})
        if (server.clients.size > HTTP_LIMITS.viewers) {
          return viewer.close(TERMINAL_CLOSE.tooManyViewers, 'too many viewers')
        }
        keepAlive(viewer)
        serveViewer(viewerNeeds, handshake.value, viewer).catch((error: unknown) => {
          needs.log.error({ error, sessionId: handshake.value.sessionId }, 'a terminal could not be shown')
          viewer.close(TERMINAL_CLOSE.broken, 'something went wrong')
        })
      })
    },
    [Symbol.dispose]() {
      for (const viewer of server.clients) viewer.close(TERMINAL_CLOSE.daemonStops, 'the daemon is stopping')
    },
  }
}

/** A client that offers protocols expects one of them back; the token is repeated only if it is the only one. */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(TERMINAL_PROTOCOL)) return TERMINAL_PROTOCOL
  return [...offered].find((name) => name.startsWith(TERMINAL_BEARER)) ?? false
}

function keepAlive(viewer: WebSocket): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= HTTP_LIMITS.unansweredPings) return viewer.terminate()
    unanswered += 1
    viewer.ping()
  }, HTTP_LIMITS.pingMs).unref()
  viewer.on('pong', () => {
    unanswered = 0
  })
  viewer.once('close', () => clearInterval(timer))
}

/** In the format of every other refusal, on a connection that is not a WebSocket yet. */
function refuseRaw(socket: Duplex, refusal: EdgeFailure): void {
  const body = JSON.stringify(failureBody(refusal))
  socket.on('error', () => socket.destroy())
  socket.end(
    [
      `HTTP/1.1 ${statusOf(refusal)} Refused`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      ...(refusal.type === 'unauthorized' ? ['WWW-Authenticate: Bearer'] : []),
      '',
      body,
    ].join('\r\n'),
  )
}
