import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  personalSession,
  sampleApproval,
  sampleId,
  sampleJob,
  sampleSession,
} from '../../test/support/server/sample-records.ts'
import { startTestServer, TOKEN } from '../../test/support/server/test-server.ts'
import { openTestWorld, type TestWorld } from '../../test/support/server/test-world.ts'
import { allRoutes } from '../contract/routes/all-routes.ts'
import type { NewEvent } from '../domain/event/event.ts'
import { jobCompleted } from '../domain/event/job-events.ts'
import { sessionEnded } from '../domain/event/session-events.ts'
import { checkPrinted } from '../domain/event/task-events.ts'
import type { JobId, SessionId } from '../domain/id.ts'
import type { Job } from '../domain/job/job.ts'
import { connect, FollowError, type MusterClient, type WireEvent } from './index.ts'

const jobId = sampleId('job')
const sessionId = sampleId('session')
const approvalId = sampleId('approval')
const goal = { repositoryPath: '/garden', requestDocument: 'Grow a tree' }

let world: TestWorld

beforeAll(async () => {
  world = await openTestWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

const END = { reason: 'goal-reached', evidence: [] } as const

/** Stores that a job has reached its goal, with the event for it. */
async function complete(job: Job): Promise<void> {
  await world.append(jobCompleted(job, { totalTasks: 1, summary: 'done', ...END }))
  await world.putJob({ ...job, state: { type: 'completed', ...END } })
}

function progress(of: JobId, count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => checkPrinted({ jobId: of }, String(index)))
}

/** Makes every call once and returns the results. */
async function callAll(client: MusterClient) {
  const results = await Promise.all([
    client.startJob(goal, { idempotencyKey: 'a key' }),
    client.listJobs({ limit: 5 }),
    client.getJob(jobId),
    client.beginJob(jobId),
    client.pauseJob(jobId),
    client.resumeJob(jobId),
    client.cancelJob(jobId, { reason: 'enough' }),
    client.getBase(jobId),
    client.decideBase(jobId, 'continue'),
    client.editGoal(jobId, 'Two trees'),
    client.editTaskList(jobId, 'water them'),
    client.listDocuments(jobId, { kind: 'goal' }),
    client.listCycles(jobId),
    client.getCycle(jobId, 1),
    client.listEvents(jobId, { tail: 3 }),
    client.listProjects(),
    client.findNames({ text: 'grow', kinds: ['job', 'task'] }),
    client.listTasks({ job: jobId }),
    client.getTask(sampleId('task', 1)),
    client.listSessions({ job: jobId, agent: 'mine', role: 'worker', status: 'live', purpose: 'attempt' }),
    client.listSessions({ resumable: true }),
    client.getSession(sessionId),
    client.listSessionEvents(sessionId, { tail: 3 }),
    client.openSession({ repositoryPath: '/garden', prompt: 'look' }),
    client.askSession({ question: 'why?', sessionId }),
    client.stopSession(sessionId, { reason: 'enough', force: true }),
    client.suspendSession(sessionId),
    client.resumeSession(sessionId, { prompt: 'go on' }),
    client.interruptSession(sessionId),
    client.say(sessionId, 'hello'),
    client.listApprovals({ job: jobId, status: 'all' }),
    client.getApproval(approvalId),
    client.allowApproval(approvalId, { digest: sampleApproval().digest }),
    client.denyApproval(approvalId, { reason: 'no' }),
    client.listApprovalRules(),
    client.revokeApprovalRule(sampleId('approval-rule')),
    client.listLandings({ job: jobId }),
    client.listRuns({ job: jobId }),
    client.getRun(sampleId('run')),
    client.forkRun(sampleId('run'), { at: '2' }),
    client.resumeRun(sampleId('run')),
    client.stopRun(sampleId('run'), { reason: 'enough' }),
    client.killRun(sampleId('run')),
    client.getRunPlaybook(sampleId('run')),
    client.getRunResult(sampleId('run')),
    client.compareRuns(sampleId('run'), { with: sampleId('run', 1) }),
    client.listFindings(sampleId('run')),
    client.listArtifacts(sampleId('run')),
    client.listDecisions(sampleId('run')),
    client.listReports({ job: jobId, limit: 1 }),
    client.getTaskDiff(sampleId('task', 1)),
    client.getSessionDiff(sessionId),
    client.getApprovalDiff(approvalId),
    client.getJobDiff(jobId),
    client.mergeJob(jobId),
    client.getMerge(jobId),
    client.getPullRequest(jobId),
    client.preparePullRequest(jobId),
    client.listMessages({ limit: 5 }),
    client.getMessage(sampleId('message')),
    client.sendMessage({ to: sessionId, body: 'water it' }),
    client.acknowledgeMessage(sampleId('message')),
    client.listAudit({ limit: 5 }),
    client.verifyAudit(),
    client.acceptAudit(),
    client.startBackup({ file: '/elsewhere/backup.tar' }),
    client.getBackup(),
    client.listAgents('/garden'),
    client.listProviders({ models: true }),
    client.listTrusted(),
    client.getTrust('/garden'),
    client.trustConfiguration('/garden', 'abc'),
    client.revokeTrust('/garden'),
    client.listPlaybooks(),
    client.getPlaybook('solo'),
    client.forecastPlaybook('solo', { inputs: {} }),
    client.validatePlaybook('/garden'),
    client.getPlaybookSchema(),
    client.listPinned({ job: jobId, all: true }),
    client.restorePinned(sampleId('attempt')),
    client.deleteJob(jobId, { withUnlandedWork: true }),
    client.clean({ dryRun: true }),
    client.collectGarbage({ dryRun: true }),
    client.health(),
    client.ready(),
    client.status(),
    client.storage(),
    client.environment(),
    client.shutdown(),
  ])
  return results
}

describe('the client', () => {
  it('calls every route of the API and accepts every answer', async () => {
    await using served = await startTestServer({ world })
    await world.putJob(sampleJob({ state: { type: 'cancelled', reason: 'enough' } }))
    await world.putApproval(sampleApproval())
    const asked = new Set<string>()
    const client = connect({
      url: served.url,
      token: TOKEN,
      fetch: (input, init) => {
        asked.add(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`)
        return fetch(input, init)
      },
    })
    const results = await callAll(client)
    // The sample job has a running session, so its stream stays open.
    await client.follow(jobId, { signal: AbortSignal.timeout(100) }).next()
    await client.followAll({ signal: AbortSignal.timeout(100) }).next()
    await client.followSession(sessionId, { signal: AbortSignal.timeout(100) }).next()

    const failures = results.flatMap((result) => (result.ok ? [] : [result.failure.type]))
    expect(failures).toEqual([
      'bad-request',
      'illegal-transition',
      'session-not-spoken-to',
      'session-not-able',
      'rule-not-found',
      // There are no sample runs.
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      'not-found',
      // The sample job has no repository.
      'git-failed',
      'no-work',
      'no-work',
      'no-work',
      'nothing-landed',
      'nothing-landed',
      'nothing-landed',
      // There are no sample messages.
      'not-found',
      'audit-intact',
    ])
    const idIn = (path: string) => {
      const ids = { tasks: sampleId('task', 1), sessions: sessionId, messages: sampleId('message') }
      const others = {
        approvals: approvalId,
        'approval-rules': sampleId('approval-rule'),
        pinned: sampleId('attempt'),
        runs: sampleId('run'),
      }
      const known: Readonly<Record<string, string>> = { ...ids, ...others }
      return known[path.split('/')[2] ?? ''] ?? jobId
    }
    const reachable = allRoutes
      .filter((route) => route.path !== '/api/openapi.json' && route['x-access'] !== 'agent')
      .map(
        ({ method, path }) =>
          `${method.toUpperCase()} ${path.replace('{id}', idIn(path)).replace('{num}', '1').replace('{name}', 'solo')}`,
      )
    expect([...asked].sort()).toEqual([...new Set(reachable)].sort())
  })

  it('returns a failure of the daemon as a value, with its message and details', async () => {
    await using served = await startTestServer({ world })
    const client = connect({ url: `${served.url}/`, token: TOKEN })
    expect(await client.getJob('nonsense')).toEqual({
      ok: false,
      failure: {
        status: 404,
        type: 'job-not-found',
        message: 'There is no job nonsense.',
        next: 'muster list jobs',
        details: { jobId: 'nonsense' },
      },
    })
    const stranger = connect({ url: served.url, token: 'wrong' })
    expect(await stranger.status()).toMatchObject({
      ok: false,
      failure: { status: 401, type: 'unauthorized' },
    })
  })

  it('returns a value if no daemon answers', async () => {
    const client = connect({ url: 'http://127.0.0.1:1', token: TOKEN })
    expect(await client.health()).toMatchObject({ ok: false, failure: { status: 0, type: 'unreachable' } })
  })

  it('rejects the answer of a server that is not a Muster daemon', async () => {
    const foreign = createServer((_, outgoing) => outgoing.end('<html>hello</html>'))
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    const client = connect({
      url: `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`,
      token: TOKEN,
    })
    expect(await client.health()).toMatchObject({ ok: false, failure: { type: 'bad-answer' } })
    await expect(client.follow(jobId).next()).rejects.toThrow(FollowError)
    foreign.close()
    foreign.closeAllConnections()
  })

  it('stops waiting when its signal fires', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const client = connect({
      url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      token: TOKEN,
    })
    const result = await client.status({ signal: AbortSignal.timeout(50) })
    expect(result).toMatchObject({ ok: false, failure: { type: 'unreachable' } })
    silent.close()
    silent.closeAllConnections()
  })
})

describe('following a job', () => {
  it('yields its events from a given place and ends with the job', async () => {
    await using served = await startTestServer({ world })
    const job = await world.addJob()
    await world.append(...progress(job.id, 4))
    await complete(job)
    const client = connect({ url: served.url, token: TOKEN })
    const seqs: number[] = []
    for await (const { seq } of client.follow(job.id, { after: 2 })) seqs.push(seq)
    expect(seqs).toEqual([3, 4, 5])
  })

  it('yields events of a newer daemon as they were sent, and continues', async () => {
    const at = '2026-05-01T12:00:00.000Z'
    const sent = [
      { seq: 1, type: 'moon_rose', jobId, at, data: { phase: 'full' }, tide: 'high' },
      { seq: 2, type: 'job_paused', jobId, at, data: { cycle: 1, mood: 'calm' } },
    ]
    const lines = sent.map(
      (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    const headers = { 'content-type': 'text/event-stream' }
    const client = connect({
      url: 'http://daemon',
      token: TOKEN,
      fetch: async () => new Response(`${lines.join('')}event: job_ended\ndata: {}\n\n`, { headers }),
    })
    const received: WireEvent[] = []
    for await (const event of client.follow(jobId)) received.push(event)
    expect(received).toMatchObject([
      { seq: 1, type: 'unknown', jobId, raw: sent[0] },
      { seq: 2, type: 'job_paused', data: { cycle: 1 } },
    ])
  })

  it('continues across daemon restarts without a gap or a repeat', async () => {
    let served = await startTestServer({ world })
    const { port } = served
    const client = connect({ url: served.url, token: TOKEN })
    const interruptions: string[] = []
    const seqs: number[] = []
    const job = await world.addJob()
    await world.append(...progress(job.id, 10))
    for await (const { seq } of client.follow(job.id, {
      onInterrupt: ({ type }) => interruptions.push(type),
    })) {
      seqs.push(seq)
      if (seq !== 10 && seq !== 20) continue
      await served.server.close()
      await world.append(...progress(job.id, 10))
      served = await startTestServer({ world, port })
      if (seq === 20) await complete(job)
    }
    expect(seqs).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
    expect(interruptions).toContain('unreachable')
    await served.server.close()
  })

  it('waits for a daemon whose database is down', async () => {
    await using served = await startTestServer()
    await served.world.closeDatabase()
    const client = connect({ url: served.url, token: TOKEN })
    const stop = new AbortController()
    const interruptions: string[] = []
    const onInterrupt = ({ type }: { type: string }) => {
      interruptions.push(type)
      if (interruptions.length === 2) stop.abort()
    }
    for await (const _ of client.follow(jobId, { signal: stop.signal, onInterrupt }))
      throw new Error('no events')
    expect(interruptions).toEqual(['store-unavailable', 'store-unavailable'])
  })

  it('throws if there is no such job or the token is wrong', async () => {
    await using served = await startTestServer({ world })
    const client = connect({ url: served.url, token: TOKEN })
    await expect(client.follow('nonsense').next()).rejects.toMatchObject({ error: { type: 'job-not-found' } })
    const stranger = connect({ url: served.url, token: 'wrong' })
    await expect(stranger.follow(jobId).next()).rejects.toMatchObject({ error: { type: 'unauthorized' } })
  })

  it('disconnects when the reader stops, and ends without an error when its signal fires', async () => {
    await using served = await startTestServer({ world })
    const job = await world.addJob()
    await world.append(...progress(job.id, 3))
    const client = connect({ url: served.url, token: TOKEN })
    for await (const _ of client.follow(job.id)) break
    const stop = new AbortController()
    const seqs: number[] = []
    for await (const { seq } of client.follow(job.id, { signal: stop.signal })) {
      seqs.push(seq)
      if (seq === 3) stop.abort()
    }
    expect(seqs).toEqual([1, 2, 3])
    await expect.poll(() => world.subscriberCount()).toBe(0)
  })
})

describe('following a session', () => {
  it('yields only its own events from a given place, and ends with the session', async () => {
    await using served = await startTestServer({ world })
    const job = await world.addJob()
    const session = sampleSession({ id: sampleId('session', 6), jobId: job.id })
    await world.putSession(session)
    const of = (id: SessionId): NewEvent => checkPrinted({ jobId: job.id, sessionId: id }, 'x')
    await world.append(of(session.id), of(sampleId('session', 7)), of(session.id))
    const client = connect({ url: served.url, token: TOKEN })
    const seqs: number[] = []
    for await (const { seq } of client.followSession(session.id, { after: 1 })) {
      seqs.push(seq)
      if (seq !== 3) continue
      const end = { type: 'cancelled', reason: 'enough' } as const
      await world.append(of(sampleId('session', 7)))
      const ended = { ...session, state: { type: 'terminated', end } } as const
      await world.putSession(ended, sessionEnded(session, { end, ending: 'cancelled' }))
    }
    expect(seqs).toEqual([3, 5])
  })

  it('follows a session outside any job on its own stream', async () => {
    await using served = await startTestServer({ world })
    const { id } = personalSession()
    const end = { type: 'finished', turn: { type: 'done', text: 'it grows' } } as const
    await world.putSession(personalSession({ state: { type: 'terminated', end } }))
    await world.append(...progress(jobId, 2), checkPrinted({ sessionId: id }, 'x'))
    const client = connect({ url: served.url, token: TOKEN })
    const events = []
    for await (const event of client.followSession(id)) events.push(event)
    expect(events).toMatchObject([{ seq: 1, sessionId: id, type: 'task_progress' }])
    expect(events[0]).not.toHaveProperty('jobId')
  })

  it('throws if there is no such session', async () => {
    await using served = await startTestServer({ world })
    const client = connect({ url: served.url, token: TOKEN })
    await expect(client.followSession(sampleId('session', 99)).next()).rejects.toMatchObject({
      error: { type: 'session-not-found', next: 'muster list sessions' },
    })
  })
})

describe('following all jobs', () => {
  it('starts with new events and misses none across a restart', async () => {
    const job = await world.addJob()
    let served = await startTestServer({ world })
    const { port } = served
    const client = connect({ url: served.url, token: TOKEN })
    const stop = new AbortController()
    const seqs: number[] = []
    const following = (async () => {
      for await (const { seq, jobId: of } of client.followAll({ signal: stop.signal })) {
        // The feed ends before the oldest open transaction of the server, so events of earlier tests may count as new.
        if (of === job.id) seqs.push(seq)
      }
    })()
    let written = 0
    const write = async (count: number) => {
      await world.append(...progress(job.id, count))
      written += count
    }
    // The client is connected once something new arrives.
    await expect
      .poll(async () => {
        await write(1)
        return seqs.length
      })
      .toBeGreaterThan(0)
    await served.server.close()
    await write(2)
    served = await startTestServer({ world, port })
    await write(1)
    await expect.poll(() => seqs.at(-1), { timeout: 10_000 }).toBe(written)
    const [first = 0] = seqs
    expect(seqs).toEqual(Array.from({ length: written - first + 1 }, (_, index) => first + index))
    stop.abort()
    await following
    await served.server.close()
  })
})
