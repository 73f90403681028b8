import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MusterClient, WireSession } from '../../../src/client/index.ts'
import { acpProject } from '../acp-project.ts'
import { agentOutput, agentText } from '../agent-output.ts'
import { quickHome } from '../quick-home.ts'
import { startJob } from '../run-job.ts'
import { take } from '../take.ts'
import { type TestHome, until } from '../test-daemon.ts'
import { type TestRepository, testRepository } from '../test-repository.ts'
import type { Deed } from './deed.ts'

export type AcpStage = AsyncDisposable & {
  readonly home: TestHome
  readonly repository: TestRepository
  /** A folder that agents and the test share. Agents find its path in ACP_MEMORY. */
  readonly memory: string
  /** Writes a file into the shared folder. */
  note(name: string, text: string): Promise<void>
  /** Waits until an agent has left a whole file in the shared folder, and returns its text. */
  left(name: string): Promise<string>
  /** Everything that a session's program was prompted with. */
  promptsOf(session: WireSession | undefined): Promise<string>
  startJob(client: MusterClient): Promise<string>
}

export type AcpStageOptions = Partial<Parameters<typeof acpProject>[1]> & {
  /** A home that several stages share. Without it, the stage has its own home, in which no daemon runs yet. */
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
    promptsOf: (session) => readFile(join(memory, `${session?.providerSessionId}.jsonl`), 'utf8'),
    startJob: (client) => startJob(client, repository),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The worker sessions of a job, oldest first. */
export async function workersOf(client: MusterClient, jobId: string): Promise<readonly WireSession[]> {
  const { items } = take(await client.listSessions({ job: jobId, role: 'worker', purpose: 'attempt' }))
  return items.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}

/** Waits until the worker session with this number, counted from 1, is as wanted. */
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

/** The texts that the agent of a session printed, in order. */
export async function textsOf(client: MusterClient, sessionId: string): Promise<readonly string[]> {
  const { items } = take(await client.listSessionEvents(sessionId, { limit: 500 }))
  return items.flatMap((event) => (agentOutput(event)?.type === 'text' ? [agentText(event)] : []))
}
