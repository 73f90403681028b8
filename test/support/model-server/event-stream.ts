import type { ServerResponse } from 'node:http'

/** Sends one event: a text unchanged, anything else as JSON. */
export type Emit = (data: unknown, event?: string) => void

/** Starts a stream of server-sent events on a response. */
export function openEventStream(response: ServerResponse): Emit {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return (data, event) => {
    const name = event === undefined ? '' : `event: ${event}\n`
    response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
}
