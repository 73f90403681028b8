import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleSession,
  ids,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { testRepository } from '../../../test/support/test-repository.ts'
import { createLocalDisk } from '../../adapters/disk/local/local-disk.ts'
import { createHub } from '../../adapters/git/hub/create-hub.ts'
import { type Database, openDatabase } from '../../adapters/store/postgres/database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { findSetupEnd } from './find-setup-end.ts'
import { findWarmWork } from './find-warm-work.ts'
import { setupFor } from './setup-for.ts'
import { warmTrees } from './warm-trees.ts'

let database: Kysely<Database>
let store: Store
const SETUP = ['npm ci', 'make all']

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})

afterAll(async () => {
  await database.destroy()
})

async function storeJob(overrides: Partial<Job> = {}): Promise<Job> {
  const { plan } = exampleJob()
  return await storeExampleJob(store, { plan: { ...plan, setup: SETUP }, ...overrides })
}

/** The session of an attempt that is stored. */
async function attemptSession(
  role: Attempt['role'],
  handoffs: readonly HandoffNote[] = [],
): Promise<Session> {
  const job = await storeJob()
  const session = exampleSession(job, { role })
  const cycleId = ids.next('cycle')
  const attempt: Attempt = {
    id: ids.next('attempt'),
    jobId: job.id,
    purpose: { type: 'discovery', cycleId },
    role,
    number: 1,
    agent: { name: 'one', provider: 'command', roles: [role], env: {} },
    sessionId: session.id,
    state: { type: 'preparing' },
    handoffs,
    version: 1,
    createdAt: new Date(),
  }
  await store.transact(async (records) => {
    await records.cycles.insert(exampleCycle(job, { id: cycleId }), exampleChange())
    await records.attempts.insert(attempt, exampleChange())
  })
  return { ...session, purpose: { type: 'attempt', attemptId: attempt.id } }
}

const note: HandoffNote = {
  from: ids.next('session'),
  fromAgent: 'one',
  to: 'two',
  summary: '',
  nextSteps: '',
  reason: '',
  at: '',
}

describe('what is set up before a session begins', () => {
  it('is all of it for a worker, and for the first check in a new tree', async () => {
    expect(await setupFor({ store }, await attemptSession('worker'))).toEqual(SETUP)
    const job = await storeJob()
    const candidateId = ids.next('candidate')
    const check = (isFresh: boolean) =>
      exampleSession(job, { purpose: { type: 'check', candidateId, index: 0, isFresh } })
    expect(await setupFor({ store }, check(true))).toEqual(SETUP)
    expect(await setupFor({ store }, check(false))).toEqual([])
  })

  it('is nothing for who only reads, who goes on after another, and who was there before', async () => {
    expect(await setupFor({ store }, await attemptSession('planner'))).toEqual([])
    expect(await setupFor({ store }, await attemptSession('reviewer'))).toEqual([])
    expect(await setupFor({ store }, await attemptSession('worker', [note]))).toEqual([])
    expect(await setupFor({ store }, { ...(await attemptSession('worker')), life: 2 })).toEqual([])
  })
})

describe('the end of a setup that failed', () => {
  const words = (text: string) => () => Promise.resolve(text)

  it('names the command and its status', async () => {
    const session = await attemptSession('worker')
    const said = 'npm ERR\n\nmuster: setup command 2 failed with status 4\n'
    expect(await findSetupEnd({ store }, session, { type: 'exited', code: 97 }, words(said))).toEqual({
      type: 'unprepared',
      command: 'make all',
      code: 4,
    })
  })

  it('is not seen in another status, other words, or where nothing was set up', async () => {
    const session = await attemptSession('worker')
    const said = 'muster: setup command 1 failed with status 4\n'
    const exited = (code: number) => ({ type: 'exited', code }) as const
    expect(await findSetupEnd({ store }, session, exited(0), words(said))).toEqual(exited(0))
    expect(await findSetupEnd({ store }, session, exited(97), words(`${said}bye\n`))).toEqual(exited(97))
    expect(await findSetupEnd({ store }, session, exited(97), words(said.replace('1', '3')))).toEqual(
      exited(97),
    )
    const planner = await attemptSession('planner')
    expect(await findSetupEnd({ store }, planner, exited(97), words(said))).toEqual(exited(97))
  })
})

describe('warm trees', () => {
  it('are kept at the tip of the branch while a job runs, and go when none does', async () => {
    await using directory = await temporaryDirectory()
    await using repository = await testRepository()
    const warmDirectory = join(directory.path, 'warm')
    using hub = createHub({
      hubsDirectory: join(directory.path, 'hubs'),
      gitConfigFile: join(directory.path, 'gitconfig'),
      warmDirectory,
    })
    const disk = createLocalDisk()
    await disk.makeDirectory(warmDirectory)
    const projectId = ids.next('project')
    const source = await hub.branches.inspectSource(repository.path)
    const base = source.ok ? await hub.branches.importBase(projectId, source.value, undefined) : source
    if (!base.ok) throw new Error(JSON.stringify(base.failure))
    const baseCommit = base.value.commit
    const running = { type: 'running', pausing: false } as const
    const job = await storeJob({ projectId, baseCommit, state: running })
    const settings = { warmTrees: 2, warmDirectory, minimumFreeMb: 1 }
    const needs = (changed: Partial<typeof settings> = {}) =>
      ({ store, ...hub, disk, log: silentLog, settings: { ...settings, ...changed } }) as never
    const pool = () => readdir(join(warmDirectory, projectId)).catch(() => [])

    await warmTrees(needs(), projectId)
    expect(await pool()).toHaveLength(2)
    const moved = await hub.commits.commitFiles(projectId, baseCommit, { 'new.txt': 'new' }, 'more')
    if (!moved.ok) throw new Error(JSON.stringify(moved.failure))
    await hub.branches.move(projectId, job.workingBranch, moved.value, undefined)
    await warmTrees(needs(), projectId)
    const names = await pool()
    expect(names.filter((name) => name.startsWith(moved.value))).toHaveLength(2)

    // None where the disk might fill up, or where a person wants none.
    await warmTrees(needs({ minimumFreeMb: 2 ** 40 }), projectId)
    expect(await pool()).toEqual([])
    await warmTrees(needs(), projectId)
    await warmTrees(needs({ warmTrees: 0 }), projectId)
    expect(await pool()).toEqual([])

    await warmTrees(needs(), projectId)
    expect(await findWarmWork(needs(), [])).toEqual([{ type: 'trees-warm', projectId }])
    expect(await findWarmWork(needs(), [job])).toEqual([{ type: 'trees-warm', projectId }])
    await store.transact((records) =>
      records.jobs.save({ ...job, state: { type: 'cancelled', reason: 'enough' } }, exampleChange()),
    )
    await warmTrees(needs(), projectId)
    expect(await pool()).toEqual([])
    expect(await findWarmWork(needs(), [])).toEqual([])
  })
})
