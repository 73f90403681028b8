import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleCycle,
  exampleMessage,
  exampleRun,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Baseline } from '../../../domain/baseline/baseline.ts'
import { agentMessage } from '../../../domain/event/agent-message.ts'
import { jobPlace } from '../../../domain/event/event-place.ts'
import { checkPrinted } from '../../../domain/event/task-events.ts'
import { SecretSet } from '../../../domain/redaction/redact.ts'
import { secretOf } from '../../../domain/redaction/secret.ts'
import { NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Store } from '../../../ports/store/store.ts'
import { openDatabase } from '../postgres/open-database.ts'
import { createPostgresStore } from '../postgres/postgres-store.ts'
import { createRedactingStore } from './redacting-store.ts'

const KEY = 'sk-ant-api03-0123456789'
const GONE = '[redacted:KEY]'
let database: ReturnType<typeof openDatabase>
let store: Store

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const plain = createPostgresStore({ database, sendWork: async () => () => undefined })
  store = createRedactingStore(plain, new SecretSet([secretOf('KEY', KEY)]).redact)
})
afterAll(() => database.destroy())

async function rowsOf(table: string): Promise<string> {
  const found = await sql<{
    row: string
  }>`select row_to_json(it)::text as row from ${sql.table(table)} as it`.execute(database)
  return found.rows.map(({ row }) => row).join('\n')
}

describe('the redacting store', () => {
  it('keeps secrets out of events, the audit, approvals, messages and tasks', async () => {
    const job = await storeExampleJob(store)
    const cycle = exampleCycle(job)
    const session = exampleSession(job)
    const change = {
      audit: { actor: 'agent', action: 'say', subject: job.id, detail: { said: `it is ${KEY}` } },
      events: [
        agentMessage(
          jobPlace(job),
          session,
          { type: 'tool-call', name: KEY, input: { agent: { plan: KEY } } },
          false,
        ),
      ],
    } as const
    await store.transact(async (records) => {
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([exampleTask(cycle, { lastFailure: `printed ${KEY}` })], change)
      await records.sessions.insert(session, exampleChange())
      await records.approvals.insert(
        {
          id: ids.next('approval'),
          jobId: job.id,
          asker: { type: 'session', sessionId: session.id, processNumber: 1, requestId: '1' },
          digest: 'd'.repeat(64),
          action: { type: 'tool-use', tool: 'Bash', input: { command: `curl -H ${KEY}` }, directory: '/' },
          state: { type: 'pending' },
          version: 1,
          createdAt: new Date(),
          expiresAt: new Date(),
        },
        exampleChange(),
      )
      await records.messages.insert(
        exampleMessage({
          jobId: job.id,
          sender: session.id,
          subject: KEY,
          body: `the key is ${KEY}`,
          metadata: { deep: [KEY] },
        }),
        exampleChange(),
      )
    })
    for (const table of ['events', 'audit', 'approvals', 'messages', 'tasks']) {
      const rows = await rowsOf(table)
      expect([table, rows.includes(KEY), rows.includes(GONE)]).toEqual([table, false, true])
    }
  })

  it('stores unchanged what programs are started with and sent', async () => {
    const agent = { name: 'one', provider: 'command', roles: ['worker'], env: ['API_KEY'] }
    const example = await storeExampleJob(store)
    const job = await storeExampleJob(store, { plan: { ...example.plan, agents: [agent] } })
    const conversation = {
      ...NO_CONVERSATION,
      dialogue: { ask: KEY },
      lastInput: KEY,
      turn: { type: 'done', text: KEY },
    } as const
    const session = exampleSession(job, { conversation })
    const input = { type: 'say', text: KEY } as const
    await store.transact(async (records) => {
      await records.sessions.insert(session, exampleChange())
      await records.sessions.addInput(session.id, input, exampleChange())
    })
    expect((await store.read.jobs.find(job.id))?.plan.agents).toEqual([agent])
    expect((await store.read.sessions.find(session.id))?.conversation).toEqual({
      ...conversation,
      turn: { type: 'done', text: GONE },
    })
    expect(await store.read.sessions.pendingInputs([session.id])).toMatchObject([{ input }])
  })

  it('keeps secrets out of the inputs of a playbook, in the job and in its run', async () => {
    const { plan } = await storeExampleJob(store)
    const cast = { developer: [{ agent: KEY, admittedAs: 'worker' }] }
    const playbook = { name: 'solo', hash: 'a'.repeat(64) }
    const inputs = { token: `it is ${KEY}`, n: 3 }
    const job = await storeExampleJob(store, {
      plan: { ...plan, approach: { type: 'run', playbook, inputs, cast } },
    })
    const cycle = exampleCycle(job)
    const task = exampleTask(cycle)
    const run = exampleRun(task, { inputs, cast })
    await store.transact(async (records) => {
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([task], exampleChange())
      await records.runs.insert(run, exampleChange())
    })
    const kept = { inputs: { token: `it is ${GONE}`, n: 3 }, cast }
    expect((await store.read.jobs.find(job.id))?.plan.approach).toMatchObject(kept)
    expect(await store.read.runs.find(run.id)).toMatchObject(kept)
  })

  it('keeps secrets out of changes that are noted without a row', async () => {
    const job = await storeExampleJob(store)
    const { audit } = exampleChange()
    await store.transact((records) =>
      records.note({
        audit: { ...audit, subject: job.id, detail: { said: KEY } },
        events: [checkPrinted(jobPlace(job), `here: ${KEY}`)],
      }),
    )
    for (const table of ['events', 'audit']) {
      const rows = (await rowsOf(table)).split('\n').filter((row) => row.includes(job.id))
      expect([table, rows.join().includes(KEY), rows.join().includes(GONE)]).toEqual([table, false, true])
    }
  })

  it('redacts the output of a session before it becomes events', async () => {
    const job = await storeExampleJob(store)
    const session = exampleSession(job)
    await store.transact(async (records) => {
      await records.sessions.insert(session, exampleChange())
      await records.sessions.advance([
        {
          sessionId: session.id,
          fromOut: 0,
          toOut: 9,
          fromErr: 0,
          toErr: 0,
          events: [checkPrinted(jobPlace(job), `here: ${KEY}`)],
        },
      ])
    })
    const events = await sql<{ data: object }>`select data from events where stream_id = ${job.id}`.execute(
      database,
    )
    expect(events.rows).toEqual([{ data: { source: 'check', message: `here: ${GONE}` } }])
  })

  it('stores the commands of a baseline unchanged, because they are run', async () => {
    const job = await storeExampleJob(store)
    const baseline: Baseline = {
      id: ids.next('baseline'),
      projectId: job.projectId,
      repositoryPath: '/nowhere',
      commit: 'a'.repeat(40),
      tree: 'b'.repeat(40),
      digest: 'c'.repeat(64),
      checks: [`curl -H ${KEY}`],
      setup: [`log-in ${KEY}`],
      copy: [`${KEY}.env`],
      sandbox: USUAL_SANDBOX,
      state: { type: 'passed' },
      results: [],
      version: 1,
      createdAt: new Date(),
    }
    await store.transact((records) => records.baselines.ensure(baseline, exampleChange()))
    const { checks, setup, copy } = baseline
    expect(await store.read.baselines.find(baseline.id)).toMatchObject({ checks, setup, copy })
  })

  it('stores paths, branches and files unchanged, because the engine acts on them', async () => {
    const job = await storeExampleJob(store)
    const cycle = exampleCycle(job)
    const named = { branch: `fix-${KEY}`, files: [`src/${KEY}.ts`], description: `use ${KEY}` }
    const task = exampleTask(cycle, named)
    await store.transact(async (records) => {
      await records.jobs.save({ ...job, repositoryPath: `/src/${KEY}` }, exampleChange())
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([task], exampleChange())
    })
    expect((await store.read.jobs.find(job.id))?.repositoryPath).toBe(`/src/${KEY}`)
    expect(await store.read.tasks.find(task.id)).toMatchObject({ ...named, description: `use ${GONE}` })
  })

  it('finds and removes a row by a name that contains a secret', async () => {
    const trusted = { path: `/src/${KEY}`, digest: 'd1', trustedAt: new Date() }
    await store.transact((records) => records.trust.save(trusted, exampleChange()))
    expect(await store.read.trust.find(trusted.path)).toMatchObject({ digest: 'd1' })
    expect(await store.transact((records) => records.trust.remove(trusted.path, exampleChange()))).toBe(true)
  })
})
