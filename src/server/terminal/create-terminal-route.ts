import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { failureBody } from '../../contract/failure/failure-body.ts'
import { statusOf } from '../../contract/failure/status-of.ts'
import type { SessionId } from '../../domain/id.ts'
import { Keyboards } from './keyboards.ts'
import { serveViewer, type ViewerNeeds } from './serve-viewer.ts'
import { readHandshake } from './terminal-handshake.ts'
import { WebSocketEnd } from './web-socket.ts'

export type TerminalRouteNeeds = Pick<ViewerNeeds, 'terminals' | 'log' | 'findTerminal'> & {
  readonly token: string
  /** A person sat down at a session's keyboard, or the last one left it. Must not throw. */
  onAttended(sessionId: SessionId, attended: boolean): void
  readonly stallMs?: number
}

/** Sessions' terminals over WebSocket. Disposing it lets all viewers go; the sessions stay. */
export interface TerminalRoute extends Disposable {
  /** For the `upgrade` event of the HTTP server; answers every one, also those that are not for it. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Uint8Array): void
}

const STALL_MS = 10_000
const MOST_VIEWERS = 200
const GOING_AWAY = 1001
const TRY_LATER = 1013
const BROKEN = 1011

export function createTerminalRoute(needs: TerminalRouteNeeds): TerminalRoute {
  const keyboards = new Keyboards(needs)
  const open = new Set<WebSocketEnd>()
  const viewerNeeds: ViewerNeeds = { ...needs, keyboards, stallMs: needs.stallMs ?? STALL_MS }
  return {
    upgrade(incoming, socket, head) {
      const handshake = readHandshake(incoming, needs.token)
      if (!handshake.ok) {
        refuseRaw(socket, handshake.failure)
        return
      }
      const end = new WebSocketEnd(socket, head)
      socket.write(handshake.value.answer)
      if (open.size >= MOST_VIEWERS) {
        end.close(TRY_LATER, 'too many viewers')
        return
      }
      open.add(end)
      socket.once('close', () => open.delete(end))
      serveViewer(viewerNeeds, handshake.value, end).catch((error: unknown) => {
        needs.log.error({ error, sessionId: handshake.value.sessionId }, 'a terminal could not be shown')
        end.close(BROKEN, 'something went wrong')
      })
    },
    [Symbol.dispose]() {
      for (const end of open) end.close(GOING_AWAY, 'the daemon stops')
    },
  }
}

/** In the form of every other refusal, on a connection that is no WebSocket yet. */
function refuseRaw(socket: Duplex, refusal: EdgeFailure): void {
  const body = JSON.stringify(failureBody(refusal))
  socket.on('error', () => socket.destroy())
  socket.end(
    [
      `HTTP/1.1 ${statusOf[refusal.type]} Refused`,
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
