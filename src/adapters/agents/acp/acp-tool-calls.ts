import { cleanText } from '../../../domain/clean-text.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { storableJson } from '../shared/storable-json.ts'
import { listAt, textAt, valueAt } from './acp-message.ts'
import type { ToolCall } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'
import { endMessage, jsonSize, reportChunks } from './acp-text.ts'

const MAX_OPEN_CALLS = 16
const MAX_FINISHED_CALLS = 32
const MAX_NAME = 200
/** A larger input is reported at once, because it's too large to keep in the state until it's complete. */
const HELD_INPUT_BYTES = 1024

/**
 * Processes an update of a tool call. Some programs send the input in pieces, so the call is reported when it starts,
 * needs permission or ends, or when another event follows.
 */
export function hearToolCall(step: AcpStep, update: unknown, isAskedAbout = false): AcpStep {
  const id = textAt(update, 'toolCallId')?.slice(0, MAX_NAME)
  if (id === undefined || step.state.finishedCalls.includes(id)) return step
  const reported = endMessage(reportChunks(step))
  const known = reported.state.calls.find((call) => call.id === id)
  const call = merged(known, id, update)
  const status = textAt(update, 'status') ?? 'pending'
  const isKnown = isAskedAbout || status !== 'pending' || jsonSize(call.input) > HELD_INPUT_BYTES
  const next = reportExcess(changed(reported, { calls: [...others(reported, id), call] }))
  const heard = isKnown ? reportCall(next, call) : next
  if (status !== 'completed' && status !== 'failed') return heard
  return finish(heard, call, update, status === 'failed' || exitCodeOf(update) !== 0)
}

/** Reports the calls whose input may still be incomplete. */
export function reportPendingCalls(step: AcpStep): AcpStep {
  return step.state.calls.reduce(reportCall, step)
}

/** What a person sees of a call: its title and the input so far. */
export function inputOf(update: unknown): unknown {
  const title = textAt(update, 'title')
  const raw = valueAt(update, 'rawInput')
  const paths = listAt(update, 'locations').flatMap((location) => textAt(location, 'path') ?? [])
  const content = raw === undefined || raw === null ? listAt(update, 'content') : []
  const reported = {
    title,
    ...(typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : { input: raw ?? undefined }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(content.length === 0 ? {} : { content }),
  }
  return storableJson(withoutUndefined(reported))
}

/** The name of the tool, or its kind if the program gives no name. */
export function nameOf(update: unknown): string | undefined {
  const kind = textAt(update, 'kind')
  const name =
    textAt(update, 'name') ?? (kind === 'other' ? undefined : kind) ?? textAt(update, 'title') ?? kind
  return name === undefined ? undefined : cleanText(name.slice(0, MAX_NAME))
}

function merged(known: ToolCall | undefined, id: string, update: unknown): ToolCall {
  const base = known ?? { id, name: nameOf(update) ?? 'tool', isReported: false }
  if (base.isReported) return base
  const reported = inputOf(update)
  const isObject = typeof reported === 'object' && reported !== null
  const input = isObject ? { ...(base.input ?? {}), ...reported } : reported
  return {
    ...base,
    name: textAt(update, 'name') === undefined ? base.name : (nameOf(update) ?? base.name),
    input,
  }
}

function reportCall(step: AcpStep, call: ToolCall): AcpStep {
  if (call.isReported) return step
  const { id, name } = call
  const calls = step.state.calls.map((other) => (other.id === id ? { id, name, isReported: true } : other))
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

/** The exit code of a command, which OpenCode reports for a call that it calls completed. */
function exitCodeOf(update: unknown): number {
  const code = valueAt(update, 'rawOutput', 'metadata', 'exit')
  return typeof code === 'number' ? code : 0
}

function outputOf(update: unknown): unknown {
  const raw = valueAt(update, 'rawOutput')
  if (raw !== undefined && raw !== null) return storableJson(raw)
  const content = listAt(update, 'content')
  const texts = content.map((part) => textAt(part, 'content', 'text'))
  if (texts.every((text) => text !== undefined)) return storableJson(texts.join('\n'))
  return storableJson(content)
}

/** Drops the oldest calls if very many are open. The program has probably forgotten them. */
function reportExcess(step: AcpStep): AcpStep {
  const excess = step.state.calls.slice(0, -MAX_OPEN_CALLS)
  if (excess.length === 0) return step
  const reported = excess.reduce(reportCall, step)
  return changed(reported, { calls: reported.state.calls.slice(-MAX_OPEN_CALLS) })
}

function others(step: AcpStep, id: string): readonly ToolCall[] {
  return step.state.calls.filter((call) => call.id !== id)
}
