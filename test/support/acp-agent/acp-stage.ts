import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MusterClient, WireSession } from '../../../src/client/index.ts'
import { acpProject } from '../acp-project.ts'
import { agentOutput, agentText } from '../agent-output.ts'
import { quickHome } from '../quick-home.ts'
import { type TestHome, until } from '../test-daemon.ts'
import { type TestRepository, testRepository } from '../test-repository.ts'
import type { Deed } from './deed.ts'

export type AcpStage = AsyncDisposable & {
  readonly home: TestHome
  readonly repository: TestRepository
  /** A folder that agents and test share; agents know it as ACP_MEMORY. */
  readonly memory: string
  note(name: string, text: string): Promise<void>
  /** What an agent left there; waits until it is there and whole. */
  left(name: string): Promise<string>
  startJob(client: MusterClient): Promise<string>
}

export type AcpStageOptions = Partial<Parameters<typeof acpProject>[1]> & {
  /** Shared by several stages; otherwise each has a home of its own, without a daemon yet. */
  readonly home?: TestHome
}

/** A home and a repository whose tasks are lists of deeds. */
export async function acpStage(
  tasks: readonly (readonly Deed[])[],
  options: AcpStageOptions = {},
): Promise<AcpStage> {
  const stack = new AsyncDisposableStack()
  const home = options.home ?? stack.use(await quickHome())
  const memory = await mkdtemp(join(home.home, 'acp-memory-'))
  const files = acpProject(tasks, { permissions: 'bypass', ...options, memory })
  const repository = stack.use(await testRepository(files))
  return {
    home,
    repository,
    memory,
    note: (name, text) => writeFile(join(memory, name), text),
    async left(name) {
      let text = ''
      await until(async () => {
        text = await readFile(join(memory, name), 'utf8').catch(() => '')
        return text.endsWith('\n')
      })
      return text.trimEnd()
    },
    async startJob(client) {
      const requestDocument = 'Do what the tasks say.'
      return take(await client.startJob({ repositoryPath: repository.path, requestDocument })).id
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The workers of a job in the order in which they were made. */
export async function workersOf(client: MusterClient, jobId: string): Promise<readonly WireSession[]> {
  const { items } = take(await client.listSessions({ job: jobId, role: 'worker', purpose: 'attempt' }))
  return items.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}

/** The n-th worker, as soon as it is as wanted. */
export async function workerWhen(
  client: MusterClient,
  jobId: string,
  number: number,
  isWanted: (session: WireSession) => boolean,
): Promise<WireSession> {
  let seen: WireSession | undefined
  await until(async () => {
    seen = (await workersOf(client, jobId))[number - 1]
    return seen !== undefined && isWanted(seen)
  })
  if (seen === undefined) throw new Error(`there is no worker ${number}`)
  return seen
}

/** What the agent said in a session, in order. */
export async function textsOf(client: MusterClient, sessionId: string): Promise<readonly string[]> {
  const { items } = take(await client.listSessionEvents(sessionId, { limit: 500 }))
  return items.flatMap((event) => (agentOutput(event)?.type === 'text' ? [agentText(event)] : []))
}

export function take<Value>(
  answer: { ok: true; value: Value } | { ok: false; failure: { message: string } },
): Value {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}
