import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { TurnOutcome } from '../../src/domain/session/turn-outcome.ts'
import type { AgentProvider, LaunchPlan } from '../../src/ports/agent-provider.ts'
import type {
  Dialogue,
  DialogueState,
  McpAccess,
  PermissionDecision,
  Spoken,
} from '../../src/ports/dialogue.ts'
import { until } from '../support/test-daemon.ts'

export type ConversationRequest = {
  readonly provider: AgentProvider
  readonly agent: { readonly model?: string; readonly env: Readonly<Record<string, string>> }
  readonly environment: Readonly<Record<string, string>>
  readonly treeDirectory: string
  readonly sessionDirectory: string
  readonly prompt: string
  readonly permissions: 'ask' | 'bypass'
  readonly resume?: string
  readonly mayBeginAnew?: boolean
  readonly mcp?: McpAccess
}

/** Starts the program as its provider plans it, and opens the conversation. */
export async function startConversation(request: ConversationRequest): Promise<ProgramConversation> {
  const { provider, treeDirectory, prompt, permissions } = request
  const further = {
    ...(request.resume === undefined ? {} : { resume: request.resume }),
    ...(request.mayBeginAnew === undefined ? {} : { mayBeginAnew: request.mayBeginAnew }),
    ...(request.mcp === undefined ? {} : { mcp: request.mcp }),
  }
  const model = request.agent.model === undefined ? {} : { model: request.agent.model }
  if (provider.dialogue === undefined) throw new Error(`${provider.providerId} has no dialogue`)
  const planned = await provider.plan({
    agent: { name: 'it', provider: provider.providerId, roles: ['worker'], ...request.agent },
    role: 'worker',
    sessionDirectory: request.sessionDirectory,
    promptFile: join(request.sessionDirectory, 'prompt.md'),
    treeDirectory,
    environment: request.environment,
    mode: 'headless',
    permissions,
    ...further,
  })
  if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
  for (const [path, text] of Object.entries(planned.value.files ?? {})) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const opening = { prompt, treeDirectory, permissions, ...model, ...further }
  return new ProgramConversation(provider.dialogue, startProgram(planned.value, treeDirectory), (dialogue) =>
    dialogue.open(opening),
  )
}

function startProgram(plan: LaunchPlan, cwd: string): ChildProcess {
  const [program, ...words] = plan.command
  return spawn(program, words, { cwd, env: plan.environment, stdio: 'pipe', detached: true })
}

/** A conversation with a running program. Disposing it ends the program and its process group. */
export class ProgramConversation implements AsyncDisposable {
  readonly #dialogue: Dialogue
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  readonly #events: AgentEvent[] = []
  #state: DialogueState = {}
  #complaints = ''

  constructor(dialogue: Dialogue, child: ChildProcess, open: (dialogue: Dialogue) => Spoken) {
    this.#dialogue = dialogue
    this.#child = child
    this.#closed = once(child, 'close')
    // The exit code reports a program that exited early, so a failed write to it is not a second failure.
    child.stdin?.on('error', () => undefined)
    child.stderr?.on('data', (chunk) => {
      this.#complaints = (this.#complaints + String(chunk)).slice(-4000)
    })
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) =>
        this.#take(this.#dialogue.hear(this.#state, line)),
      )
    this.#take(open(dialogue))
  }

  say(text: string): void {
    this.#take(this.#dialogue.say(this.#state, text))
  }

  interrupt(): void {
    this.#take(this.#dialogue.interrupt(this.#state))
  }

  decide(requestId: string, decision: PermissionDecision): void {
    this.#take(this.#dialogue.decide(this.#state, requestId, decision))
  }

  /** How a turn ended, by its number from 1. */
  async turnEnd(number: number): Promise<TurnOutcome> {
    return (await this.#event('turn-end', number)).outcome
  }

  /** A permission request, by its number from 1. */
  question(number: number): Promise<Extract<AgentEvent, { type: 'permission-request' }>> {
    return this.#event('permission-request', number)
  }

  session(): Promise<Extract<AgentEvent, { type: 'session' }>> {
    return this.#event('session', 1)
  }

  /** Closes the program's input and waits for the program to exit. */
  async end(): Promise<number | null> {
    this.#child.stdin?.end()
    await this.#closed
    return this.#child.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid)
    await this.#closed
  }

  #take(spoken: Spoken): void {
    // The next daemon would know only what this one stored.
    this.#state = JSON.parse(JSON.stringify(spoken.state)) as DialogueState
    this.#events.push(...spoken.events)
    for (const line of spoken.says) this.#child.stdin?.write(`${line}\n`)
  }

  async #event<Type extends AgentEvent['type']>(
    type: Type,
    number: number,
  ): Promise<Extract<AgentEvent, { type: Type }>> {
    const wanted = () =>
      this.#events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)
    await until(() => {
      if (wanted().length < number && this.#child.exitCode !== null)
        throw new Error(`the program exited with ${this.#child.exitCode} before a ${type}: ${this.#story()}`)
      return wanted().length >= number
    }, 60_000).catch((error: unknown) => {
      throw new Error(`no ${type}: ${this.#story()}`, { cause: error })
    })
    const event = wanted()[number - 1]
    if (event === undefined) throw new Error('the event disappeared')
    return event
  }

  events(): readonly AgentEvent[] {
    return [...this.#events]
  }

  #story(): string {
    const events = this.#events.map((event) => JSON.stringify(event).slice(0, 300))
    return [...events.slice(-30), this.#complaints].join('\n')
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The program has exited by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
