import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngineWorld } from '../../../../test/support/engine-world.ts'
import {
  exampleAttempt,
  exampleChange,
  exampleSession,
  ids,
  storeExampleTask,
} from '../../../../test/support/example-records.ts'
import { createHostTrial, type HostTrial } from '../../../../test/support/hosts/host-trial.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { createCommandProvider } from '../../../adapters/agents/command/command-provider.ts'
import { createYamlConfiguration } from '../../../adapters/configuration/yaml/yaml-configuration.ts'
import { createFolderPlaybooks } from '../../../adapters/playbooks/folder/folder-playbooks.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { AgentProviderRegistry } from '../../providers/agent-provider-registry.ts'
import { createAssignments } from '../../roles/assignments.ts'
import { giveUpSession } from '../end/give-up-session.ts'
import { hostOf } from '../host-of.ts'
import { SessionTails } from './session-tails.ts'

type Needs = ConstructorParameters<typeof SessionTails>[0]

const PATIENCE = { timeout: 20_000 }
const parts = new AsyncDisposableStack()
let world: Awaited<ReturnType<typeof openEngineWorld>>
let hosts: HostTrial
let needs: Needs

beforeAll(async () => {
  world = parts.use(await openEngineWorld())
  hosts = parts.use(await createHostTrial())
  const { database, hub, settings } = world
  const base = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
    ...hub,
    host: hosts.host,
    providers: new AgentProviderRegistry([createCommandProvider()], 'command'),
    playbooks: createFolderPlaybooks({ shipped: 'playbooks' }),
    clock: { now: () => new Date() },
    ids,
    crash: { reach: () => undefined },
    wakeAt: () => undefined,
    settings,
    log: silentLog,
    outboxes: { adopt: () => undefined, collect: () => Promise.resolve(), release: () => undefined },
  }
  const assignments = createAssignments(base)
  const terminals = {} as EngineNeeds['terminals']
  needs = {
    ...base,
    assignments,
    configuration: createYamlConfiguration({ environment: {} }),
    wakeAt: () => undefined,
    adoptTerminal: () => undefined,
    sendWork: async (work) => {
      if (work.type === 'session-give-up') await giveUpSession({ ...base, assignments, terminals }, work)
    },
  }
})

afterAll(() => parts.disposeAsync())

/** A running session with its program, which prints a line for each file `<name>.<number>` that the test makes. */
async function start(name: string): Promise<Session> {
  const { job, task } = await storeExampleTask(needs.store)
  const attemptId = ids.next('attempt')
  const session = exampleSession(job, { purpose: { type: 'attempt', attemptId } })
  const attempt = exampleAttempt(job, {
    id: attemptId,
    purpose: { type: 'task', taskId: task.id },
    sessionId: session.id,
    state: { type: 'running' },
  })
  await needs.store.transact(async (records) => {
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  const script =
    'i=1; while [ ! -e $NAME.end ]; do [ ! -e $NAME.$i ] || { echo line $i; i=$((i+1)); }; sleep 0.05; done'
  const environment = { PATH: '/usr/bin:/bin', NAME: name, TRIAL: hosts.path }
  await hosts.run(script, { hostId: hostOf(session), environment })
  return session
}

const leave = (name: string) => writeFile(join(hosts.path, name), '')
const endOf = async ({ id }: Session) => (await needs.store.read.sessions.find(id))?.state

async function linesOf({ jobId }: Session): Promise<number> {
  const { rows } = await sql`
    select 1 from events where stream_id = ${jobId} and type = 'agent_message'`.execute(world.database)
  return rows.length
}

/** Puts a directory where the program's PID file was. Returns how to undo that. */
async function poison(session: Session): Promise<AsyncDisposable> {
  const pid = join(hosts.host.directoryOf(hostOf(session)), 'pid')
  const text = await readFile(pid)
  await rm(pid)
  await mkdir(pid)
  return {
    async [Symbol.asyncDispose]() {
      await rmdir(pid)
      await writeFile(pid, text)
    },
  }
}

describe('the output of many sessions', () => {
  it('is stored while the files of one of them cannot be read, and that one alone is lost', async () => {
    const broken = await start('broken')
    const healthy = await start('healthy')
    await using _ = await poison(broken)
    await using tails = new SessionTails(needs)
    for (const { id } of [broken, healthy]) tails.adopt(id)
    await leave('healthy.1')
    await expect.poll(() => linesOf(healthy), PATIENCE).toBe(1)
    await expect
      .poll(() => endOf(broken), PATIENCE)
      .toMatchObject({
        type: 'terminated',
        end: { type: 'lost', reason: expect.stringContaining('EISDIR') },
      })
    await leave('healthy.2')
    await expect.poll(() => linesOf(healthy), PATIENCE).toBe(2)
    await leave('healthy.end')
    await expect.poll(() => endOf(healthy), PATIENCE).toMatchObject({ end: { type: 'exited', code: 0 } })
    await leave('broken.end')
  })

  it('is stored while the outbox of one of them is being collected, and that one ends only afterwards', async () => {
    const flooding = await start('flooding')
    const healthy = await start('calm')
    let finish: (() => void) | undefined
    const collect = ({ id }: Session) =>
      id === flooding.id ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve()
    await using tails = new SessionTails({ ...needs, outboxes: { ...needs.outboxes, collect } })
    for (const { id } of [flooding, healthy]) tails.adopt(id)
    await leave('flooding.end')
    await expect.poll(() => finish, PATIENCE).toBeDefined()
    await leave('calm.1')
    await expect.poll(() => linesOf(healthy), PATIENCE).toBe(1)
    await leave('calm.end')
    await expect.poll(() => endOf(healthy), PATIENCE).toMatchObject({ type: 'terminated' })
    expect(await endOf(flooding)).toMatchObject({ type: 'running' })
    finish?.()
    await expect.poll(() => endOf(flooding), PATIENCE).toMatchObject({ end: { type: 'exited', code: 0 } })
  })
})
