import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { exampleChange, exampleSession } from '../../../test/support/example-records.ts'
import { rawRequest, statusIn } from '../../../test/support/server/raw-request.ts'
import { sampleId } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { openTestWorld, type TestWorld } from '../../../test/support/server/test-world.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import { jobCancelled, jobDeleted, jobFailed } from '../../domain/event/job-events.ts'
import { sessionEnded } from '../../domain/event/session-events.ts'
import { checkPrinted } from '../../domain/event/task-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { pumpEvents } from './pump-events.ts'
import { createWakeLatch } from './wake-latch.ts'

const open: AbortController[] = []
let world: TestWorld
let job: Job
let jobId: JobId
let streamPath: string

beforeAll(async () => {
  world = await openTestWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  job = await world.addJob()
  jobId = job.id
  streamPath = `/api/orchestrator/${jobId}/stream`
})

afterEach(() => {
  for (const controller of open.splice(0)) controller.abort()
})

function event(text = 'x'): NewEvent {
  return checkPrinted({ jobId }, text)
}

function events(count: number, text = 'x'): NewEvent[] {
  return Array.from({ length: count }, () => event(text))
}

/** Reads a stream into one growing text. */
async function listen(served: TestServer, path: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${served.url}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    signal: controller.signal,
  })
  const heard = { text: '', isFinished: false }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk, { stream: true })
  }
  const ended = read().then(
    () => {
      heard.isFinished = true
    },
    () => {
      heard.isFinished = true
    },
  )
  return { response, heard, ended, leave: () => controller.abort() }
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '')
}

describe("a job's stream", () => {
  it('begins with the state of the job and replays from the beginning', async () => {
    await using served = await startTestServer({ world })
    await world.append(...events(3))
    const { response, heard } = await listen(served, streamPath)
    await vi.waitFor(() => expect(idsIn(heard.text)).toEqual(['1', '2', '3']))
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const [first, second] = heard.text.split('\n\n')
    expect(first).toBe(
      `event: connected\ndata: {"jobId":"${jobId}","status":"running","currentCycle":1,"after":0}`,
    )
    const [id, type, data = ''] = second?.split('\n') ?? []
    expect([id, type]).toEqual(['id: 1', 'event: task_progress'])
    expect(JSON.parse(data.replace(/^data: /, ''))).toEqual({
      seq: 1,
      type: 'task_progress',
      jobId,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: { source: 'check', message: 'x' },
    })
  })

  it('continues after the event a client names; the header takes precedence over the URL', async () => {
    await using served = await startTestServer({ world })
    await world.append(...events(5))
    const byHeader = await listen(served, `${streamPath}?after=1`, { 'last-event-id': '3' })
    await vi.waitFor(() => expect(idsIn(byHeader.heard.text)).toEqual(['4', '5']))
    const byAddress = await listen(served, `${streamPath}?after=4`)
    await vi.waitFor(() => expect(idsIn(byAddress.heard.text)).toEqual(['5']))
  })

  it('ends when the job is deleted, and then there is no such job', async () => {
    await using served = await startTestServer({ world })
    await world.append(...events(2))
    const late = await listen(served, streamPath)
    await vi.waitFor(() => expect(idsIn(late.heard.text)).toEqual(['1', '2']))
    const { projectId, repositoryPath, workingBranch } = job
    const rest = { pins: [], trees: [], sessions: [], createdAt: new Date() }
    await world.store.transact((records) =>
      records.deletions.begin(
        { jobId, projectId, repositoryPath, workingBranch, ...rest },
        { ...exampleChange(), events: [jobDeleted(job)] },
      ),
    )
    await late.ended
    expect(idsIn(late.heard.text)).toEqual(['1', '2', '3'])
    expect(late.heard.text).not.toContain('job_ended')
    expect((await listen(served, streamPath, { 'last-event-id': '1' })).response.status).toBe(404)
  })

  it.each(['x', '-1', '1.5', '99999999999999999999'])('refuses %s as an event id', async (id) => {
    await using served = await startTestServer({ world })
    const { response } = await listen(served, streamPath, { 'last-event-id': id })
    expect(response.status).toBe(400)
    expect(world.subscriberCount()).toBe(0)
  })

  it('is not found for a job that does not exist', async () => {
    await using served = await startTestServer({ world })
    for (const id of [sampleId('job', 99), 'nonsense']) {
      const { response } = await listen(served, `/api/orchestrator/${id}/stream`)
      expect(response.status).toBe(404)
    }
    expect(world.subscriberCount()).toBe(0)
  })

  it('sends each event once and in order while events are being written', async () => {
    await using served = await startTestServer({ world })
    const { heard } = await listen(served, streamPath)
    for (let round = 0; round < 60; round += 1) {
      await world.append(...events(50))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(() => expect(idsIn(heard.text)).toHaveLength(3000), { timeout: 20_000 })
    expect(idsIn(heard.text)).toEqual(Array.from({ length: 3000 }, (_, index) => String(index + 1)))
  })

  it('ends with a message without an id once the job has ended and everything was sent', async () => {
    await using served = await startTestServer({ world })
    const { heard, ended } = await listen(served, streamPath)
    await world.append(...events(2))
    await world.putJob({ ...job, state: { type: 'cancelled', reason: 'enough' } })
    await world.append(jobCancelled(job, 'enough'), event('after the end'))
    await ended
    expect(idsIn(heard.text)).toEqual(['1', '2', '3', '4'])
    const last = heard.text.split('\n\n').at(-2)
    expect(last).toBe(`event: job_ended\ndata: {"jobId":"${jobId}","status":"cancelled","reason":"enough"}`)
    expect(world.subscriberCount()).toBe(0)
  })

  it('does not end before the sessions of a cancelled job have ended', async () => {
    await using served = await startTestServer({ world })
    const session = exampleSession(job)
    await world.putSession(session)
    const { heard, ended } = await listen(served, streamPath)
    await world.putJob({ ...job, state: { type: 'cancelled', reason: 'enough' } })
    await world.append(jobCancelled(job, 'enough'))
    await vi.waitFor(() => expect(idsIn(heard.text)).toEqual(['1']))
    // A round trip later, the stream has looked for the next events and is still open.
    await world.append(event('last words'))
    await vi.waitFor(() => expect(idsIn(heard.text)).toEqual(['1', '2']))
    expect(heard.text).not.toContain('job_ended')
    const end = { type: 'cancelled', reason: 'enough' } as const
    await world.putSession({ ...session, state: { type: 'terminated', end } })
    await world.append(sessionEnded(session, { end, ending: 'cancelled' }))
    await ended
    expect(idsIn(heard.text)).toEqual(['1', '2', '3'])
    expect(heard.text.split('\n\n').at(-2)).toContain('event: job_ended')
  })

  it('continues after an error event of a job that has not ended', async () => {
    await using served = await startTestServer({ world })
    const { heard } = await listen(served, streamPath)
    await world.append(jobFailed(job, 'no'))
    await vi.waitFor(() => expect(idsIn(heard.text)).toEqual(['1']))
    await world.append(event())
    await vi.waitFor(() => expect(idsIn(heard.text)).toEqual(['1', '2']))
    expect(heard.isFinished).toBe(false)
  })

  it('sends a heartbeat at every interval', async () => {
    await using served = await startTestServer({ world, times: { heartbeatMs: 20 } })
    const { heard } = await listen(served, streamPath)
    await vi.waitFor(() => expect(heard.text.match(/^: /gm)?.length).toBeGreaterThanOrEqual(3))
  })

  it('answers a HEAD request without holding it open', async () => {
    await using served = await startTestServer({ world })
    const request = `HEAD ${streamPath} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`
    expect(statusIn(await rawRequest(served.port, request))).toBe(200)
    expect(world.subscriberCount()).toBe(0)
  })

  it('breaks if the log cannot be read, and the server keeps running', async () => {
    await using served = await startTestServer({ times: { heartbeatMs: 50 } })
    const { ended } = await listen(served, `/api/orchestrator/${sampleId('job')}/stream`)
    await served.world.closeDatabase()
    await ended
    expect(served.logged).toEqual(['an event stream broke'])
    expect((await fetch(`${served.url}/api/health`)).status).toBe(200)
  })
})

describe('the stream of all jobs', () => {
  it('begins at the end, with a position to resume from', async () => {
    await using served = await startTestServer({ world })
    const before = await world.feed.latest()
    await world.append(...events(2))
    // The feed ends before the oldest open transaction of the server, which another test file may have opened.
    const isRead = async () => (await world.feed.readAll(before, 1_000)).some((one) => one.jobId === jobId)
    await vi.waitFor(async () => expect(await isRead()).toBe(true), { timeout: 10_000 })
    const { heard } = await listen(served, '/api/events')
    await vi.waitFor(() => expect(heard.text).toMatch(/^id: (\S+)\nevent: connected\ndata: {"cursor":"\1"}/))
    await world.append(event('the next'))
    await vi.waitFor(() => expect(idsIn(heard.text)).toHaveLength(2), { timeout: 5_000 })
    expect(heard.text).toContain('the next')
  })

  it('begins at the beginning, or after a position, on request', async () => {
    await using served = await startTestServer({ world })
    await world.append(...events(3))
    const whole = await listen(served, '/api/events?after=')
    const ofJob = () => [...whole.heard.text.matchAll(new RegExp(`^data: .*"${jobId}"`, 'gm'))]
    await vi.waitFor(() => expect(ofJob()).toHaveLength(3), { timeout: 5_000 })
    const ids = idsIn(whole.heard.text)
    const rest = await listen(served, '/api/events', { 'last-event-id': ids.at(-2) ?? '' })
    // The position itself is repeated as the id of the connected event.
    await vi.waitFor(() => expect(idsIn(rest.heard.text)).toEqual(ids.slice(-2)), { timeout: 5_000 })
  })

  it('refuses a position that no feed produced', async () => {
    await using served = await startTestServer({ world })
    const { response } = await listen(served, '/api/events?after=1;drop')
    expect(response.status).toBe(400)
  })
})

describe('a client', () => {
  it('that disconnects is forgotten: 200 of them leave no subscriber', async () => {
    await using served = await startTestServer({ world })
    for (let round = 0; round < 10; round += 1) {
      const path = round % 2 === 0 ? streamPath : '/api/events'
      const clients = await Promise.all(Array.from({ length: 20 }, () => listen(served, path)))
      expect(world.subscriberCount()).toBeGreaterThan(0)
      for (const client of clients) client.leave()
    }
    await vi.waitFor(() => expect(world.subscriberCount()).toBe(0))
  })

  it('that disconnects before the response begins is forgotten too', async () => {
    await using served = await startTestServer({ world })
    const request = `GET ${streamPath} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`
    for (let round = 0; round < 50; round += 1) {
      const socket = connectSocket(served.port, '127.0.0.1', () => socket.end(request))
      await once(socket, 'connect')
      setImmediate(() => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await vi.waitFor(() => expect(world.subscriberCount()).toBe(0))
  })

  it('that reads nothing is disconnected, and the log is not read for it', async () => {
    await using served = await startTestServer({ world, times: { stallMs: 200 } })
    const large = 'x'.repeat(50_000)
    await world.append(...events(800, large))
    const socket = connectSocket(served.port, '127.0.0.1')
    socket.pause()
    socket.write(
      `GET ${streamPath} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    )
    await vi.waitFor(() => expect(world.subscriberCount()).toBe(1))
    await vi.waitFor(() => expect(world.subscriberCount()).toBe(0), { timeout: 10_000 })
    // The kernel buffers some megabytes; most of the forty in the log were never sent.
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'close')
    expect(received).toBeLessThan(30_000_000)
    expect(received).toBeGreaterThan(0)
  })

  it('that reads slowly gets everything', async () => {
    await using served = await startTestServer({ world, times: { stallMs: 2_000 } })
    await world.append(...events(400, 'x'.repeat(20_000)))
    await world.putJob({ ...job, state: { type: 'cancelled', reason: 'enough' } })
    const response = await fetch(`${served.url}${streamPath}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(idsIn(text)).toHaveLength(400)
  })
})

describe('the pump', () => {
  it('never queues more than 256 KiB for a client that reads nothing', async () => {
    const batch = 'x'.repeat(128 * 1024)
    let most = 0
    let answered: ServerResponse | undefined
    const server = createHttpServer((_, outgoing) => {
      answered = outgoing
      const next = async () => {
        most = Math.max(most, outgoing.writableLength)
        return { type: 'batch', text: batch, isMore: true } as const
      }
      const stopped = new AbortController()
      outgoing.once('close', () => stopped.abort())
      const rest = { idleMs: 1_000, stallMs: 200, heartbeatMs: 10, stopped: stopped.signal }
      void pumpEvents({ outgoing, source: { next }, latch: createWakeLatch(), ...rest })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connectSocket((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await vi.waitFor(() => {
      most = Math.max(most, answered?.writableLength ?? 0)
      expect(answered?.destroyed).toBe(true)
    }, 10_000)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(256 * 1024)
    socket.destroy()
    server.close()
  })
})

describe('a server that closes', () => {
  it('ends its streams at once', async () => {
    await using served = await startTestServer({ world })
    const { ended } = await listen(served, streamPath)
    const before = performance.now()
    await served.server.close()
    await ended
    expect(performance.now() - before).toBeLessThan(1_500)
    expect(world.subscriberCount()).toBe(0)
  })
})
