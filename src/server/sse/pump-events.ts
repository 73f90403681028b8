import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { EventSource } from './event-source.ts'
import type { WakeLatch } from './wake-latch.ts'

export type Pump = {
  readonly outgoing: ServerResponse
  readonly source: EventSource
  readonly latch: WakeLatch
  /** How long to wait without a wake before reading again. */
  readonly idleMs: number
  readonly stallMs: number
  readonly heartbeatMs: number
  /** Fires when the client disconnects or the server stops. */
  readonly stopped: AbortSignal
}

const HEARTBEAT = ': still here\n\n'

/** Moves events from a source to a client, as fast as the client reads them, until either ends. */
export async function pumpEvents(pump: Pump): Promise<void> {
  const { outgoing, source, latch, stallMs, stopped } = pump
  using _heartbeat = beat(outgoing, pump.heartbeatMs)
  while (!stopped.aborted) {
    const portion = await source.next()
    if (portion.type === 'end') {
      await writeDrained(outgoing, portion.text, stallMs)
      return
    }
    if (portion.type === 'batch') await writeDrained(outgoing, portion.text, stallMs)
    const isEmpty = portion.type === 'nothing' || !portion.isMore
    if (isEmpty) await latch.wait(pump.idleMs, stopped)
  }
}

/** Sends a heartbeat at every interval, unless the client still has data to read. */
function beat(outgoing: ServerResponse, intervalMs: number): Disposable {
  const timer = setInterval(() => {
    if (!outgoing.destroyed && !outgoing.writableNeedDrain) outgoing.write(HEARTBEAT)
  }, intervalMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * Writes, and waits until the client has room again. A client that reads nothing for `stallMs` is disconnected: it can
 * reconnect and resume, and buffering its events would need unbounded memory.
 */
async function writeDrained(outgoing: Writable, text: string, stallMs: number): Promise<void> {
  if (outgoing.destroyed || outgoing.write(text)) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stallMs)
    const end = () => {
      clearTimeout(timer)
      outgoing.off('drain', end)
      outgoing.off('close', end)
      resolve()
    }
    outgoing.on('drain', end)
    outgoing.on('close', end)
  })
}
