import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, exampleSession, storeExampleJob } from '../../../../test/support/example-records.ts'
import { NO_ASSIGNMENTS } from '../../../../test/support/no-assignments.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { createLocalHost } from '../../../adapters/hosts/local/create-local-host.ts'
import type { Database } from '../../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionState } from '../../../domain/session/session-state.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import { endSession } from './end-session.ts'

const parts = new AsyncDisposableStack()
const EXIT = { type: 'exited', code: 0 } as const
let database: Kysely<Database>
let needs: Parameters<typeof endSession>[0]

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  parts.defer(() => database.destroy())
  const home = parts.use(await temporaryDirectory())
  needs = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
    host: await createLocalHost({ hostsDirectory: join(home.path, 'hosts') }),
    clock: { now: () => new Date() },
    crash: { reach: () => undefined },
    settings: {} as EngineSettings,
    assignments: NO_ASSIGNMENTS,
  }
})

afterAll(() => parts.disposeAsync())

async function stored(fields: Partial<Session>): Promise<Session> {
  const job = await storeExampleJob(needs.store)
  const session = exampleSession(job, fields)
  await needs.store.transact((records) => records.sessions.insert(session, exampleChange()))
  return session
}

const stateOf = async ({ id }: Session): Promise<SessionState | undefined> =>
  (await needs.store.read.sessions.find(id))?.state

async function eventsOf({ jobId }: Session): Promise<readonly string[]> {
  const events = await sql<{ type: string }>`
    select type from events where stream_id = ${jobId} order by seq`.execute(database)
  return events.rows.map(({ type }) => type)
}

describe('the end of a program', () => {
  it('ends its session, and one of an earlier program of the session does not', async () => {
    const session = await stored({ processNumber: 2 })
    await endSession(needs, session.id, EXIT, 1)
    expect(await stateOf(session)).toEqual(session.state)
    await endSession(needs, session.id, EXIT, 2)
    expect(await stateOf(session)).toEqual({ type: 'terminated', end: EXIT })
  })

  it('is preceded by the start of its session, even if the program could not be started', async () => {
    const session = await stored({ state: { type: 'starting' } })
    await endSession(needs, session.id, { type: 'unstarted', reason: 'no program' })
    expect(await eventsOf(session)).toEqual(['session_started', 'session_ended'])
    const started = await stored({ startedAt: new Date() })
    await endSession(needs, started.id, EXIT)
    expect(await eventsOf(started)).toEqual(['session_ended'])
  })

  it('does not end a session whose next program is about to start', async () => {
    const resume = { prompt: 'go on' }
    const session = await stored({ state: { type: 'starting', resume } })
    await endSession(needs, session.id, EXIT, 1)
    expect(await stateOf(session)).toEqual(session.state)
  })

  it('reports how much of its output was lost, before the end of its session', async () => {
    const session = await stored({})
    const directory = await needs.host.prepare(hostOf(session))
    await writeFile(join(directory, 'missing.out'), '70\n12\n')
    await writeFile(join(directory, 'missing.err'), '?\n')
    await endSession(needs, session.id, EXIT)
    const { rows } = await sql<{ type: string; data: unknown }>`
      select type, data from events where stream_id = ${session.jobId} order by seq desc limit 3`.execute(
      database,
    )
    expect(rows.toReversed()).toMatchObject([
      { type: 'agent_message', data: { type: 'truncation', droppedBytes: 82 } },
      { type: 'agent_message', data: { type: 'truncation', droppedBytes: 0, mayBeMore: true } },
      { type: 'session_ended' },
    ])
  })
})
