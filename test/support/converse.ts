import { spawn } from 'node:child_process'
import { once } from 'node:events'
import readline from 'node:readline'
import { text } from 'node:stream/consumers'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { LaunchPlan } from '../../src/ports/agent-provider.ts'
import type { Dialogue, DialogueState, Opening, Spoken } from '../../src/ports/dialogue.ts'
import { type Deed, perform, type TranscriptEntry } from './transcript.ts'

/** A line that the program printed, and the events it became. */
export type Heard = { readonly line: string; readonly events: readonly AgentEvent[] }

/** Called after each line until it returns a deed. From the next line on, the next step is called. */
export type ConversationStep = (heard: Heard) => Deed | undefined

export type Conversation = {
  readonly entries: readonly TranscriptEntry[]
  readonly events: readonly AgentEvent[]
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errorOutput: string
}

export type ConversationRequest = {
  readonly plan: LaunchPlan
  readonly cwd: string
  readonly dialogue: Dialogue
  readonly opening: Opening
  readonly steps?: readonly ConversationStep[]
  readonly limitMs?: number
}

/**
 * Starts the program that a provider planned and runs the conversation. Closes the program's input when every step is
 * done and every message has had its turn, and waits for the program to exit.
 */
export async function converse(request: ConversationRequest): Promise<Conversation> {
  const [program, ...rest] = request.plan.command
  const child = spawn(program, rest, {
    cwd: request.cwd,
    env: request.plan.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: request.limitMs ?? 30_000,
    killSignal: 'SIGKILL',
  })
  // The exit code reports a program that exited early, so a failed write to it is not a second failure.
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const errorOutput = text(child.stderr)
  const record = await follow(request, child.stdin, readline.createInterface({ input: child.stdout }))
  const [code, signal] = await closed
  return { ...record, code, signal, errorOutput: await errorOutput }
}

async function follow(
  request: ConversationRequest,
  input: NodeJS.WritableStream,
  lines: AsyncIterable<string>,
): Promise<Pick<Conversation, 'entries' | 'events'>> {
  const { dialogue } = request
  const entries: TranscriptEntry[] = []
  const events: AgentEvent[] = []
  const steps = [...(request.steps ?? [])]
  let state: DialogueState = {}
  let messages = 0
  const take = (entry: TranscriptEntry, spoken: Spoken): void => {
    state = spoken.state
    events.push(...spoken.events)
    entries.push(entry, ...spoken.says.map((line) => ({ dir: 'in', line }) as const))
    for (const line of spoken.says) input.write(`${line}\n`)
  }
  const act = (deed: Deed): void => {
    if (deed.type === 'open' || deed.type === 'say') messages += 1
    take({ dir: 'do', ...deed }, perform(dialogue, state, deed))
  }

  act({ type: 'open', opening: request.opening })
  for await (const line of lines) {
    const before = events.length
    take({ dir: 'out', line }, dialogue.hear(state, line))
    const deed = steps[0]?.({ line, events: events.slice(before) })
    if (deed !== undefined) {
      steps.shift()
      act(deed)
    }
    const ends = events.filter((event) => event.type === 'turn-end').length
    if (steps.length === 0 && ends >= messages) input.end()
  }
  return { entries, events }
}
