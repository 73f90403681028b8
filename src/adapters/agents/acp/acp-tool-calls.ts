import { storableJson } from '../shared/storable-json.ts'
import { cleanText } from '../shared/storable-text.ts'
import { listAt, textAt, valueAt } from './acp-message.ts'
import type { ToolCall } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'
import { endMessage, jsonSize, tellChunks } from './acp-text.ts'

const MAX_OPEN_CALLS = 16
const MAX_FINISHED_CALLS = 32
const MAX_NAME = 200
/** An input above this is told at once: it is too large to wait in the state for its completion. */
const HELD_INPUT_BYTES = 1024

/**
 * Takes in what is told of a tool call. Its input comes in pieces from some programs, so the call is told when
 * it starts, when it is asked about, when it ends, or when something else is told.
 */
export function hearToolCall(step: AcpStep, update: unknown, isAskedAbout = false): AcpStep {
  const id = textAt(update, 'toolCallId')?.slice(0, MAX_NAME)
  if (id === undefined || step.state.finishedCalls.includes(id)) return step
  const told = endMessage(tellChunks(step))
  const known = told.state.calls.find((call) => call.id === id)
  const call = merged(known, id, update)
  const status = textAt(update, 'status') ?? 'pending'
  const isKnown = isAskedAbout || status !== 'pending' || jsonSize(call.input) > HELD_INPUT_BYTES
  const next = tellExcess(changed(told, { calls: [...others(told, id), call] }))
  const heard = isKnown ? tellCall(next, call) : next
  if (status !== 'completed' && status !== 'failed') return heard
  return finish(heard, call, update, status === 'failed')
}

/** Tells the calls whose input was still to be completed. */
export function tellHeldCalls(step: AcpStep): AcpStep {
  return step.state.calls.reduce(tellCall, step)
}

/** What a person sees of a call: its input as far as it was told, under the words the program has for it. */
export function inputOf(update: unknown): unknown {
  const title = textAt(update, 'title')
  const raw = valueAt(update, 'rawInput')
  const paths = listAt(update, 'locations').flatMap((location) => textAt(location, 'path') ?? [])
  const content = raw === undefined || raw === null ? listAt(update, 'content') : []
  const told = {
    ...(title === undefined ? {} : { title }),
    ...(typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : { input: raw ?? undefined }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(content.length === 0 ? {} : { content }),
  }
  return storableJson(withoutAbsent(told))
}

/** The tool by its own name, or by its kind where the program tells no name. */
export function nameOf(update: unknown): string | undefined {
  const kind = textAt(update, 'kind')
  const name =
    textAt(update, 'name') ?? (kind === 'other' ? undefined : kind) ?? textAt(update, 'title') ?? kind
  return name === undefined ? undefined : cleanText(name.slice(0, MAX_NAME))
}

function merged(known: ToolCall | undefined, id: string, update: unknown): ToolCall {
  const base = known ?? { id, name: nameOf(update) ?? 'tool', isTold: false }
  if (base.isTold) return base
  const told = inputOf(update)
  const isObject = typeof told === 'object' && told !== null
  const input = isObject ? { ...(base.input ?? {}), ...told } : told
  return {
    ...base,
    name: textAt(update, 'name') === undefined ? base.name : (nameOf(update) ?? base.name),
    input,
  }
}

function tellCall(step: AcpStep, call: ToolCall): AcpStep {
  if (call.isTold) return step
  const { id, name } = call
  const calls = step.state.calls.map((other) => (other.id === id ? { id, name, isTold: true } : other))
  const event = { type: 'tool-call', name, input: call.input ?? null, callId: cleanText(id) } as const
  return learnt(changed(step, { calls }), event)
}

function finish(step: AcpStep, call: ToolCall, update: unknown, hasFailed: boolean): AcpStep {
  const finishedCalls = [...step.state.finishedCalls, call.id].slice(-MAX_FINISHED_CALLS)
  const done = changed(step, { calls: others(step, call.id), finishedCalls })
  return learnt(done, {
    type: 'tool-result',
    name: call.name,
    output: outputOf(update),
    callId: cleanText(call.id),
    ...(hasFailed ? { failed: true } : {}),
  })
}

function outputOf(update: unknown): unknown {
  const raw = valueAt(update, 'rawOutput')
  if (raw !== undefined && raw !== null) return storableJson(raw)
  const content = listAt(update, 'content')
  const texts = content.map((part) => textAt(part, 'content', 'text'))
  if (texts.every((text) => text !== undefined)) return storableJson(texts.join('\n'))
  return storableJson(content)
}

/** A program with very many open calls is believed to have forgotten the oldest. */
function tellExcess(step: AcpStep): AcpStep {
  const excess = step.state.calls.slice(0, -MAX_OPEN_CALLS)
  if (excess.length === 0) return step
  const told = excess.reduce(tellCall, step)
  return changed(told, { calls: told.state.calls.slice(-MAX_OPEN_CALLS) })
}

function others(step: AcpStep, id: string): readonly ToolCall[] {
  return step.state.calls.filter((call) => call.id !== id)
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
