import type { ServerResponse } from 'node:http'
import type { EventSource } from './event-source.ts'
import type { WakeLatch } from './wake-latch.ts'
import { writeDrained } from './write-drained.ts'

export type Pump = {
  readonly outgoing: ServerResponse
  readonly source: EventSource
  readonly latch: WakeLatch
  /** How long to rest without a wake before looking again. */
  readonly restMs: number
  readonly stallMs: number
  readonly heartbeatMs: number
  /** Fires when the client is gone or the server stops. */
  readonly stopped: AbortSignal
}

const HEARTBEAT = ': still here\n\n'

/** Moves events from a source to a client, as fast as the client takes them, until either is done. */
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
    const isDry = portion.type === 'nothing' || !portion.isMore
    if (isDry) await latch.wait(pump.restMs, stopped)
  }
}

/** Says at every interval that the connection lives; a client that is being waited for needs no reminder. */
function beat(outgoing: ServerResponse, intervalMs: number): Disposable {
  const timer = setInterval(() => {
    if (!outgoing.destroyed && !outgoing.writableNeedDrain) outgoing.write(HEARTBEAT)
  }, intervalMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
