import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type MusterClient, type WireEvent } from '../../client/index.ts'

export type StandInApi = AsyncDisposable & {
  readonly url: string
  readonly client: MusterClient
  /** Every request as `METHOD /path`, except those for names. */
  readonly requests: readonly string[]
  /** The bodies of the requests that had one. */
  readonly bodies: readonly unknown[]
  /** Sends one more event to every stream and ends it. Applies to streams that open later too. */
  finish(event: WireEvent): void
}

/** The answer to a request that the daemon refuses. */
export class Refused {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

/** The answer of a daemon that is killed while it works on the request. */
export const KILLED = Symbol('killed')

/** Returns the data of the answer to a path, or a promise of it; undefined means not found. */
export type Answers = (method: string, path: string) => unknown

export type StandInOptions = {
  readonly answers: Answers
  /** The events of every stream. */
  readonly events?: readonly WireEvent[]
  /** Whether the stream ends after the events, as the stream of a finished job does. */
  readonly ends?: boolean
}

/** A real HTTP server with the daemon's API and fixed answers. */
export async function openStandInApi(options: StandInOptions): Promise<StandInApi> {
  const requests: string[] = []
  const bodies: unknown[] = []
  const streams: ServerResponse[] = []
  let shown = options
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    // Every command asks how short ids may be; tests are about its other requests.
    if (path !== '/api/names') requests.push(`${request.method} ${path}`)
    if (path.endsWith('/stream')) {
      streams.push(response)
      return stream(request, response, shown)
    }
    readText(request).then(
      async (body) => {
        if (body !== '') bodies.push(JSON.parse(body))
        answer(response, await options.answers(request.method ?? '', path))
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    client: connect({ url, token: 'secret' }),
    requests,
    bodies,
    finish: (event) => {
      shown = { ...options, events: [...(options.events ?? []), event], ends: true }
      for (const open of streams) open.end(`${sent(event)}event: job_ended\ndata: {}\n\n`)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

function answer(response: ServerResponse, data: unknown): void {
  if (data === KILLED) {
    response.destroy()
    return
  }
  if (data instanceof Refused) {
    response.writeHead(data.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(data.body))
    return
  }
  const found = data !== undefined
  const error = { type: 'not-found', message: 'There is no such thing.' }
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(found ? { success: true, data } : { success: false, error }))
}

function stream(request: IncomingMessage, response: ServerResponse, options: StandInOptions): void {
  const after = Number(new URL(request.url ?? '', 'http://x').searchParams.get('after') ?? 0)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: connected\ndata: {}\n\n')
  for (const event of (options.events ?? []).filter(({ seq }) => seq > after)) {
    response.write(sent(event))
  }
  const isSession = request.url?.startsWith('/api/sessions/') === true
  const end = isSession ? 'session_finished' : 'job_ended'
  if (options.ends === true) response.end(`event: ${end}\ndata: {}\n\n`)
}

function sent(event: WireEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
