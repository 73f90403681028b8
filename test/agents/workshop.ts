import type { MusterClient, WireApproval, WireJob, WireSession } from '../../src/client/index.ts'
import { shellProject } from '../support/command-agents.ts'
import type { ModelServer } from '../support/model-server/model-server.ts'
import { type Step, script } from '../support/model-server/step.ts'
import { take } from '../support/take.ts'
import { type TestDaemon, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'
import type { AgentProgram } from './agent-program.ts'
import { openPerson } from './person.ts'

const PATIENCE_MS = 120_000

/** A home with a daemon whose worker is the program. */
export type Workshop = AsyncDisposable & {
  readonly model: ModelServer
  /** The daemon that runs now. */
  daemon(): TestDaemon
  /** Kills the daemon and starts another. */
  killDaemon(): Promise<void>
  /** Starts a job with one task, for which the model plays these steps. */
  start(steps: readonly Step[], permissions?: 'ask' | 'bypass'): Promise<Work>
}

/** One job with one task, and the session that works on it. */
export type Work = AsyncDisposable & {
  readonly repository: TestRepository
  /** The script of the task, as in the prompt. */
  readonly script: string
  /** Waits for the worker's session, and returns its current state. */
  session(): Promise<WireSession>
  sessionWhen(isWanted: (session: WireSession) => boolean): Promise<WireSession>
  /** Waits for the first pending approval request of the session. */
  question(): Promise<WireApproval>
  /** Waits until the job has completed, and returns it. */
  done(): Promise<WireJob>
}

export async function openWorkshop(program: AgentProgram): Promise<Workshop> {
  await using stack = new AsyncDisposableStack()
  const person = stack.use(await openPerson(program))
  const home = stack.use(await testHome())
  const environment = {
    ...person.home.environment,
    XDG_CONFIG_HOME: `${person.home.path}/.config`,
    // With the sandbox, as people run it. Other tests run without.
    MUSTER_SANDBOX: 'auto',
    // A few seconds, for programs that do not report how long a limit lasts.
    MUSTER_LIMIT_MINUTES: '0.1',
  }
  let daemon = await home.start(environment)
  const kept = stack.move()
  return {
    model: person.model,
    daemon: () => daemon,
    async killDaemon() {
      await daemon.kill()
      daemon = await home.start(environment)
    },
    start: (steps, permissions = 'bypass') =>
      startWork(() => daemon.client, script(steps), {
        provider: program.createProvider().providerId,
        roles: ['worker'],
        env: program.environment(person.model.url),
        permissions,
        ...(program.model === undefined ? {} : { model: program.model }),
      }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function startWork(client: () => MusterClient, task: string, worker: object): Promise<Work> {
  const project = shellProject([
    { description: 'Do as the script says.', script: '', extra: { context: task } },
  ])
  const { agents, ...configuration } = JSON.parse(project['muster.yaml']) as { agents: object }
  const repository = await testRepository({
    ...project,
    'muster.yaml': JSON.stringify({ ...configuration, agents: { ...agents, worker } }),
  })
  const started = take(
    await client().startJob({
      repositoryPath: repository.path,
      requestDocument: 'Have it done.',
      maxCycles: 2,
    }),
  )
  const sessions = async () => {
    const page = take(await client().listSessions({ job: started.id, role: 'worker' }))
    return page.items.filter(({ purpose }) => purpose.type === 'attempt')
  }
  const sessionWhen: Work['sessionWhen'] = async (isWanted) => {
    const found = await firstOf(async () => (await sessions()).find(isWanted))
    if (found === undefined) throw new Error(`no such session: ${JSON.stringify(await sessions())}`)
    return found
  }
  return {
    repository,
    script: task,
    sessionWhen,
    session: () => sessionWhen(() => true),
    async question() {
      const pending = async () => take(await client().listApprovals({ job: started.id })).items[0]
      const found = await firstOf(pending)
      if (found === undefined)
        throw new Error(`there is no approval request: ${JSON.stringify(await sessions())}`)
      return found
    },
    async done() {
      const job = await waitForJob(client(), started.id, PATIENCE_MS)
      if (job.status !== 'completed')
        throw new Error(JSON.stringify({ job, sessions: await sessions() }, undefined, 1))
      return job
    },
    async [Symbol.asyncDispose]() {
      await client().cancelJob(started.id)
      await repository[Symbol.asyncDispose]()
    },
  }
}

async function firstOf<Value>(find: () => Promise<Value | undefined>): Promise<Value | undefined> {
  let found: Value | undefined
  await until(async () => {
    found = await find()
    return found !== undefined
  }, PATIENCE_MS).catch(() => undefined)
  return found
}
