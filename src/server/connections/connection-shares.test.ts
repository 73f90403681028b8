import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rawRequest, statusIn } from '../../../test/support/server/raw-request.ts'
import { sampleId } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import type { SessionId } from '../../domain/id.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'

const AGENT = 'a-token-of-an-agent'
let served: TestServer
let sockets: Socket[]

beforeEach(async () => {
  sockets = []
  served = await startTestServer({
    needs: { sessionOfToken: (text) => (text === AGENT ? (sampleId('session') as SessionId) : undefined) },
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await served[Symbol.asyncDispose]()
})

/** Opens a connection, sends the text and keeps the connection open. */
async function open(text: string): Promise<Socket> {
  const socket = connect(served.port, '127.0.0.1')
  sockets.push(socket)
  // The server may close the connection at any moment, which is what these tests are about.
  socket.on('error', () => {}).on('data', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const openMany = (count: number, text: string) => Promise.all(Array.from({ length: count }, () => open(text)))
const isOpen = (socket: Socket) => !socket.destroyed && socket.readable

/** Sends the person's request, and fails if no answer comes in ten seconds, which is generous for a busy machine. */
async function askStatus(): Promise<number> {
  const response = await fetch(`${served.url}/api/status`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: AbortSignal.timeout(10_000),
  })
  await response.text()
  return response.status
}

const host = () => `Host: 127.0.0.1:${served.port}`
const request = (path: string, token: string) =>
  `GET ${path} HTTP/1.1\r\n${host()}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`

/** An agent's request whose body never comes. */
const waiting = () =>
  `POST /api/agent/messages HTTP/1.1\r\n${host()}\r\nAuthorization: Bearer ${AGENT}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`

describe('a thousand open connections', () => {
  it.each([
    ['that send nothing', () => ''],
    ['that send half a request', () => 'GET /api/status HTTP/1.1\r\nHost: '],
    [
      'without a token and with a body that never comes',
      () =>
        `POST /api/orchestrator HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    ],
  ])('%s do not lock the person out', async (_, text) => {
    await openMany(1_000, text())
    for (let round = 0; round < 5; round += 1) expect(await askStatus()).toBe(200)
    await expect
      .poll(() => sockets.filter(isOpen).length, { timeout: 10_000 })
      .toBeLessThanOrEqual(HTTP_LIMITS.unauthenticatedConnections)
  })

  it('of an agent leave room for the person', async () => {
    await openMany(1_000, waiting())
    expect(await askStatus()).toBe(200)
  })

  it("of the person's own streams leave room for commands", async () => {
    await openMany(1_000, request('/api/events', TOKEN))
    expect(await askStatus()).toBe(200)
    const refused = await rawRequest(served.port, request('/api/events', TOKEN))
    expect(statusIn(refused)).toBe(503)
    expect(refused).toContain('too-many-connections')
  })
})

it('keeps the connections of one agent below its share, and serves it again when it closes some', async () => {
  await openMany(HTTP_LIMITS.sessionConnections, waiting())
  const statusNow = async () => statusIn(await rawRequest(served.port, request('/api/agent/inbox', AGENT)))
  await expect.poll(statusNow).toBe(503)
  for (const socket of sockets) socket.destroy()
  await expect.poll(statusNow).not.toBe(503)
})
