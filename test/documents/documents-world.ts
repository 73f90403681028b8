import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { MusterClient, WireApproval, WireSession, WireStartJobRequest } from '../../src/client/index.ts'
import { bundledProgram } from '../support/bundled-program.ts'
import { startJob } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestHome, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { createEmptyDatabase, createTestDatabase, urlOf } from '../support/test-database.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'
import { exampleProject, SLOW_GOAL } from './example-project.ts'

const STAND_IN = resolve(import.meta.dirname, 'stand-in-claude.ts')

/** The variables that every session's program has. */
export type AgentKey = Readonly<Record<'MUSTER_URL' | 'MUSTER_TOKEN' | 'MUSTER_OUTBOX', string>>

/** A daemon with repositories and records for documented commands. Each record is made when a command needs it. */
export type World = AsyncDisposable & {
  readonly client: MusterClient
  /** A directory that is removed at the end. */
  readonly directory: string
  /** What a person's shell has: `muster` and `claude` on the PATH, the home, and the variables of the HTTP guide. */
  readonly environment: Readonly<Record<string, string>> & Readonly<Record<'MUSTER_HOME' | 'HOME', string>>
  /** A home of its own without a daemon, and its database. */
  anotherHome(name: string): Promise<Readonly<Record<'MUSTER_HOME' | 'MUSTER_DATABASE_URL', string>>>
  /** A repository with the example project. The same name is the same repository. */
  repository(name: string): Promise<TestRepository>
  /** A new repository with these files, in a folder of this name. Without files, with the example project. */
  newRepository(folder: string, files?: Readonly<Record<string, string>>): Promise<TestRepository>
  job(repository: string, request?: Partial<WireStartJobRequest>): Promise<string>
  /** A job whose planner is still at work: the one that several commands share, or a new one. */
  openJob(kind: 'shared' | 'new'): Promise<string>
  /** The finished job of a repository in which no other job runs. */
  finishedJob(repository: string): Promise<string>
  /** A job that asks what to do about its failing base, unless another command has decided for the shared one. */
  failingJob(kind: 'shared' | 'new'): Promise<string>
  /** A pending request that no other command decides. With the goal `two-files`, a landing is what waits. */
  approval(repository: string, goal: 'one-request' | 'four-requests' | 'two-files'): Promise<WireApproval>
  /** A session that waits for its next message: the one that several commands share, or a new one. */
  session(kind: 'shared' | 'new'): Promise<string>
  /** A session that has ended and can be asked. */
  endedSession(): Promise<string>
  sessionWhen(id: string, isWanted: (session: WireSession) => boolean): Promise<WireSession>
  /** The variables of an agent that works on a task. */
  agentKey(name: 'first' | 'second'): Promise<AgentKey>
  /** The job in which these agents work. */
  agentsJob(): Promise<string>
  /** Damages the audit log. */
  changeAuditRow(): Promise<void>
  /** The daemon's log. */
  log(): Promise<string>
  /** Ends all jobs and sessions, because programs outlive the daemon. */
  endEverything(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const stack = new AsyncDisposableStack()
  const { path: directory } = stack.use(await temporaryDirectory('muster-documents'))
  const databaseUrl = urlOf(await createTestDatabase())
  const home = await testHome({ MUSTER_DATABASE_URL: databaseUrl })
  const shell = await installPrograms(directory)
  const daemon = await home.start({
    MUSTER_STOP_GRACE_MS: '200',
    MUSTER_MAX_SESSIONS: '64',
    PATH: shell['PATH'],
  })
  const { client } = daemon
  stack.use(home)
  const records = makeRecords(client, directory, stack)
  const token = (await readFile(join(home.home, 'token'), 'utf8')).trim()
  const own = { ...personHome(home, databaseUrl), ...shell, HOME: directory, url: client.url, token }
  return {
    client,
    directory,
    environment: own,
    ...records,
    async anotherHome(name) {
      const database = urlOf(await createEmptyDatabase())
      return { MUSTER_HOME: join(directory, name), MUSTER_DATABASE_URL: database }
    },
    async changeAuditRow() {
      const database = new pg.Client({ connectionString: databaseUrl })
      await database.connect()
      await database.query("update muster.audit set action = 'job-cancel' where seq = 2")
      await database.end()
    },
    log: () => readFile(join(home.home, 'logs', 'daemon.log'), 'utf8'),
    endEverything: () => endEverything(client),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function personHome(home: TestHome, databaseUrl: string) {
  return {
    MUSTER_HOME: home.home,
    MUSTER_DATABASE_URL: databaseUrl,
    MUSTER_SANDBOX: 'none',
    MUSTER_TRUST: 'all',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
}

/** Puts this checkout's `muster` on a PATH, and a stand-in for Claude Code. */
async function installPrograms(directory: string): Promise<{ readonly PATH: string }> {
  const tools = join(directory, 'tools')
  await mkdir(tools)
  for (const [name, file] of [
    ['muster', await bundledProgram()],
    ['claude', STAND_IN],
  ] as const) {
    await writeFile(join(tools, name), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`)
    await chmod(join(tools, name), 0o755)
  }
  return { PATH: `${tools}:${process.env['PATH']}` }
}

async function endEverything(client: MusterClient): Promise<void> {
  await Promise.all(take(await client.status()).jobs.map(({ id }) => client.cancelJob(id)))
  const { items } = take(await client.listSessions({ limit: 200 }))
  const live = items.filter(({ status }) => status !== 'terminated')
  await Promise.all(live.map(({ id }) => client.stopSession(id)))
  await until(async () =>
    take(await client.listSessions({ limit: 200 })).items.every(({ status }) => status === 'terminated'),
  )
}

type Records = Omit<
  World,
  | 'client'
  | 'directory'
  | 'environment'
  | 'anotherHome'
  | 'changeAuditRow'
  | 'endEverything'
  | 'log'
  | keyof AsyncDisposable
>

function makeRecords(client: MusterClient, directory: string, stack: AsyncDisposableStack): Records {
  const memory = join(directory, 'memory')
  const memo = remember()
  const newRepository: World['newRepository'] = async (folder, files) => {
    const worker = folder === 'sessions' ? 'claude' : 'builder'
    return stack.use(await testRepository(files ?? exampleProject(memory, worker), folder))
  }
  const repository = (name: string) => memo(`repository ${name}`, () => newRepository(name))
  const job = async (name: string, request: Partial<WireStartJobRequest> = {}) =>
    startJob(client, await repository(name), request)
  const given = new Set<string>()
  const agentsJob = () =>
    memo('agents', () =>
      job('agents', { requestDocument: 'plan:two-agents', mode: 'review', agent: 'claude' }),
    )
  const sessionWhen = async (id: string, isWanted: (session: WireSession) => boolean) => {
    let seen = take(await client.getSession(id))
    await until(async () => {
      seen = take(await client.getSession(id))
      return isWanted(seen)
    })
    return seen
  }
  const startFailing = async () => {
    const id = await job('failing', { checks: ['test -f missing.txt'], requestDocument: SLOW_GOAL })
    await until(async () => take(await client.getJob(id)).baseStatus === 'asking')
    return id
  }
  const openSession = async () => {
    const { path: repositoryPath } = await repository('sessions')
    const { id } = take(await client.openSession({ repositoryPath, prompt: 'hello', agent: 'claude' }))
    await sessionWhen(id, ({ status, openTurns }) => status === 'running' && openTurns === 0)
    return id
  }
  return {
    repository,
    newRepository,
    job,
    openJob(kind) {
      const start = () => job('open', { requestDocument: SLOW_GOAL })
      return kind === 'shared' ? memo('open job', start) : start()
    },
    finishedJob: (name) =>
      memo(`finished ${name}`, async () => {
        const { git } = await repository(name)
        await git('checkout', '-q', '-b', 'elsewhere')
        const id = await job(name, { baseBranch: 'main' })
        await waitForJob(client, id)
        return id
      }),
    failingJob: (kind) => (kind === 'shared' ? memo('failing job', startFailing) : startFailing()),
    async approval(name, goal) {
      const isLanding = goal === 'two-files'
      const request = isLanding ? ({ mode: 'approve' } as const) : { agent: 'claude', maxParallelTasks: 8 }
      const id = await memo(name, () => job(name, { requestDocument: `plan:${goal}`, ...request }))
      let found: WireApproval | undefined
      await until(async () => {
        const { items } = take(await client.listApprovals({ job: id }))
        found = items.find((approval) => !given.has(approval.id))
        return found !== undefined
      })
      if (found === undefined) throw new Error(`nothing waits in ${name}`)
      given.add(found.id)
      return found
    },
    session: (kind) => (kind === 'shared' ? memo('session', openSession) : openSession()),
    endedSession: () =>
      memo('ended session', async () => {
        const id = await openSession()
        take(await client.stopSession(id))
        await sessionWhen(id, ({ status }) => status === 'terminated')
        return id
      }),
    sessionWhen,
    agentsJob,
    async agentKey(name) {
      await agentsJob()
      let lines: readonly string[] = []
      await until(async () => {
        lines = (await readFile(join(memory, `${name}.key`), 'utf8').catch(() => '')).split('\n')
        return lines.length === 4
      })
      const [url = '', token = '', outbox = ''] = lines
      return { MUSTER_URL: url, MUSTER_TOKEN: token, MUSTER_OUTBOX: outbox }
    },
  }
}

/** Makes each thing once, also if several commands need it at the same time. */
function remember(): <Value>(name: string, make: () => Promise<Value>) => Promise<Value> {
  const made = new Map<string, Promise<unknown>>()
  return (name, make) => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known as ReturnType<typeof make>
  }
}
