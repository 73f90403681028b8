import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEngineWorld } from '../../../test/support/engine-world.ts'
import {
  exampleAttempt,
  exampleChange,
  exampleMessage,
  exampleSession,
  ids,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { createHostTrial, type HostTrial } from '../../../test/support/hosts/host-trial.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createCommandProvider } from '../../adapters/agents/command/command-provider.ts'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import { createLocalDisk } from '../../adapters/disk/local/local-disk.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'
import { createAssignments } from '../roles/assignments.ts'
import { stopSession } from '../sessions/end/stop-session.ts'
import { SessionTails } from '../sessions/listen/session-tails.ts'
import { reconcile } from './reconcile.ts'

const parts = new AsyncDisposableStack()
let world: Awaited<ReturnType<typeof openEngineWorld>>
let hosts: HostTrial
let needs: Omit<Parameters<typeof reconcile>[0], 'adoptSession' | 'send'> &
  ConstructorParameters<typeof SessionTails>[0]
/** What the ends of sessions stored as the next work, and who waits for it. */
const follow: Work[] = []
let onFollow: () => void = () => undefined

beforeAll(async () => {
  world = parts.use(await openEngineWorld())
  hosts = parts.use(await createHostTrial())
  const { database, hub, settings } = world
  const store = createPostgresStore({
    database,
    sendWork: async (_, work) => () => {
      follow.push(...work)
      onFollow()
    },
  })
  const base = {
    store,
    ...hub,
    host: hosts.host,
    providers: new AgentProviderRegistry([createCommandProvider()], 'command'),
    playbooks: createFolderPlaybooks({ shipped: 'playbooks' }),
    clock: { now: () => new Date() },
    ids,
    crash: { reach: () => undefined },
    wakeAt: () => undefined,
    settings,
  }
  needs = {
    ...base,
    assignments: createAssignments(base),
    disk: createLocalDisk(),
    log: silentLog,
    configuration: createYamlConfiguration({ environment: {} }),
    wakeAt: () => undefined,
    outboxes: { adopt: () => undefined, collect: () => Promise.resolve(), release: () => undefined },
    adoptTerminal: () => undefined,
    sendWork: () => Promise.resolve(),
  }
})

afterAll(() => parts.disposeAsync())

beforeEach(() => {
  follow.length = 0
})

/** A session that started some time ago by the clock, with a time limit. */
function limited({ ms, agoMs }: { readonly ms: number; readonly agoMs: number }): Partial<Session> {
  const startedAt = new Date(Date.now() - agoMs)
  return { startedAt, deadline: new Date(startedAt.getTime() + ms) }
}

type Pair = { readonly attempt: Attempt; readonly session: Session }

/** A session that was running when the daemon died, and its attempt. */
async function storeRunning(fields: Partial<Session> = {}): Promise<Pair> {
  const { job, task } = await storeExampleTask(needs.store)
  const session = exampleSession(job, fields)
  const attempt = exampleAttempt(job, {
    ...('attemptId' in session.purpose ? { id: session.purpose.attemptId } : {}),
    purpose: { type: 'task', taskId: task.id },
    sessionId: session.id,
    state: { type: 'running' },
  })
  await needs.store.transact(async (records) => {
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  return { attempt, session }
}

/** Resolves when the end of the attempt's session is stored. */
function ended({ id: attemptId }: Attempt): Promise<void> {
  return new Promise((resolve) => {
    onFollow = () => {
      const isEnded = follow.some((work) => work.type === 'attempt-settle' && work.attemptId === attemptId)
      if (isEnded) resolve()
    }
    onFollow()
  })
}

/** Reconciles as a new daemon does, until the session of the attempt has ended. */
async function recover(attempt: Attempt): Promise<readonly Work[]> {
  await using tails = new SessionTails(needs)
  const sent: Work[] = []
  const once = () =>
    reconcile({
      ...needs,
      adoptSession: (sessionId) => tails.adopt(sessionId),
      send: async (work) => void sent.push(work),
    })
  await Promise.all([once(), once()])
  await ended(attempt)
  sent.length = 0
  await once()
  return sent.filter((work) => 'attemptId' in work && work.attemptId === attempt.id)
}

const endOf = async ({ id }: Session) => (await needs.store.read.sessions.find(id))?.state

async function endsReported({ jobId }: Session): Promise<number> {
  const { rows } = await sql`
    select 1 from events where stream_id = ${jobId} and type = 'session_ended'`.execute(world.database)
  return rows.length
}

describe('a session that was running when the daemon died', () => {
  it('ends as lost, once, if its host is gone', async () => {
    const { attempt, session } = await storeRunning()
    const left = await recover(attempt)
    const end = { type: 'lost', reason: 'its files are gone' }
    expect(await endOf(session)).toEqual({ type: 'terminated', end })
    expect((await needs.store.read.attempts.find(attempt.id))?.state).toMatchObject({ type: 'ended', end })
    expect(await endsReported(session)).toBe(1)
    expect(follow.filter(({ type }) => type === 'attempt-settle')).toHaveLength(1)
    // Its attempt is not settled yet, and that is all that is left to do.
    expect(left).toEqual([{ type: 'attempt-settle', attemptId: attempt.id }])
  })

  it('ends with the exit status of its program if that exited meanwhile, after all its output is stored', async () => {
    const { attempt, session } = await storeRunning()
    const hostId = await hosts.run('echo last words; exit 3', { hostId: session.id as string as HostId })
    await hosts.end(hostId)
    await recover(attempt)
    expect(await endOf(session)).toEqual({ type: 'terminated', end: { type: 'exited', code: 3 } })
    expect(await endsReported(session)).toBe(1)
    const { rows } = await sql<{ type: string }>`
      select type from events where stream_id = ${session.jobId} and data::text like '%last words%'`.execute(
      world.database,
    )
    expect(rows).toHaveLength(1)
  })

  it('ends as it ended, not as timed out, if its deadline passed before its long output was read', async () => {
    const { attempt, session } = await storeRunning(limited({ ms: 60_000, agoMs: 600_000 }))
    const hostId = await hosts.run('seq 1 300000; exit 0', { hostId: session.id as string as HostId })
    await hosts.end(hostId)
    await recover(attempt)
    expect(await endOf(session)).toEqual({ type: 'terminated', end: { type: 'exited', code: 0 } })
  })

  it('takes its open approval request and the unread messages to it with it', async () => {
    const { attempt, session } = await storeRunning()
    const approvalId = ids.next('approval')
    const messageId = ids.next('message')
    const now = new Date()
    await needs.store.transact(async (records) => {
      await records.approvals.insert(
        {
          id: approvalId,
          asker: { type: 'session', sessionId: session.id, processNumber: 1, requestId: '1' },
          digest: 'digest',
          action: { type: 'tool-use', tool: 'shell', input: {}, directory: '/' },
          state: { type: 'pending' },
          version: 1,
          createdAt: now,
          expiresAt: new Date(now.getTime() + 60_000),
        },
        exampleChange(),
      )
      const place = {
        ...(session.jobId === undefined ? {} : { jobId: session.jobId }),
        recipient: session.id,
      }
      await records.messages.insert(exampleMessage({ id: messageId, ...place }), exampleChange())
    })
    await recover(attempt)
    expect((await needs.store.read.approvals.find(approvalId))?.state).toEqual({
      type: 'void',
      reason: 'the program that asked has exited',
    })
    expect((await needs.store.read.messages.find(messageId))?.state).toEqual({
      type: 'failed',
      reason: 'the session ended before reading the message',
    })
  })

  it('ends with the reason for its stop if it was being stopped', async () => {
    const why = { type: 'cancelled', reason: 'changed my mind' } as const
    const { attempt, session } = await storeRunning({ state: { type: 'terminating', why } })
    await recover(attempt)
    const lane = {
      ...needs,
      terminals: {} as EngineNeeds['terminals'],
      configuration: {} as EngineNeeds['configuration'],
      adoptSession: () => undefined,
    }
    await stopSession(lane, session.id)
    expect(await endOf(session)).toEqual({ type: 'terminated', end: why })
    expect(await endsReported(session)).toBe(1)
  })
})

describe('the time limit of a session', () => {
  it('does not count the time in which its program did not run', async () => {
    const { session } = await storeRunning(limited({ ms: 60_000, agoMs: 600_000 }))
    const hostId = session.id as string as HostId
    await hosts.run('echo up; exec sleep 600', { hostId })
    await using tails = new SessionTails(needs)
    tails.adopt(session.id)
    // By its second look, the host has counted for longer than a deadline by the clock would have taken.
    await expect.poll(() => hosts.host.ranMs(hostId), { timeout: 10_000 }).toBeGreaterThan(2_000)
    expect(await endOf(session)).toMatchObject({ type: 'running' })
    await hosts.host.stop(hostId, 0)
  })

  it('stops its program once it has run for that long, whichever daemon is watching', async () => {
    const { session } = await storeRunning(limited({ ms: 3_000, agoMs: 0 }))
    const hostId = session.id as string as HostId
    await hosts.run('echo up; exec sleep 600', { hostId })
    await expect.poll(() => hosts.host.ranMs(hostId), { timeout: 10_000 }).toBe(3_000)
    await using tails = new SessionTails(needs)
    tails.adopt(session.id)
    await expect
      .poll(() => endOf(session), { timeout: 10_000 })
      .toEqual({ type: 'terminating', why: { type: 'timed-out', afterMs: 3_000 } })
    await hosts.host.stop(hostId, 0)
  })
})
