import { z } from 'zod'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { storableJson } from '../shared/storable-json.ts'
import { storableText } from '../shared/storable-text.ts'
import { identifier } from './codex-state.ts'

const item = z.object({ id: identifier })
const status = z.string().optional().catch(undefined)

/** The items of a thread that we report. Other kinds concern only the program. */
export const codexItem = z.discriminatedUnion('type', [
  item.extend({ type: z.literal('agentMessage'), text: z.string() }),
  item.extend({ type: z.literal('plan'), text: z.string() }),
  item.extend({
    type: z.literal('reasoning'),
    summary: z.array(z.string()).catch([]),
    content: z.array(z.string()).catch([]),
  }),
  item.extend({
    type: z.literal('commandExecution'),
    command: z.string(),
    cwd: z.string().optional().catch(undefined),
    status,
    aggregatedOutput: z.string().nullish().catch(undefined),
    exitCode: z.number().nullish().catch(undefined),
  }),
  item.extend({
    type: z.literal('fileChange'),
    changes: z
      .array(z.object({ path: z.string(), kind: z.unknown().optional(), diff: z.string().optional() }))
      .catch([]),
    status,
  }),
  item.extend({
    type: z.literal('mcpToolCall'),
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown().optional(),
    status,
    result: z
      .object({ content: z.unknown().optional(), structuredContent: z.unknown().optional() })
      .nullish()
      .catch(undefined),
    error: z.object({ message: z.string() }).nullish().catch(undefined),
  }),
  item.extend({ type: z.literal('webSearch'), query: z.string().catch(''), action: z.unknown().optional() }),
])

type CodexItem = z.infer<typeof codexItem>
type Call = {
  readonly name: string
  readonly input: unknown
  readonly output: unknown
  readonly failed: boolean
}

/** The events of an item when it starts and when it ends. Text is reported only at the end. */
export function itemEvents(found: CodexItem, moment: 'start' | 'end'): readonly AgentEvent[] {
  const call = callOf(found)
  if (call !== undefined) return [callEvent(found.id, call, moment)]
  if (moment === 'start') return []
  const text = wordsOf(found)
  if (text === '') return []
  return [{ type: found.type === 'reasoning' ? 'thought' : 'text', text: storableText(text) }]
}

function wordsOf(found: CodexItem): string {
  if (found.type === 'agentMessage' || found.type === 'plan') return found.text
  if (found.type !== 'reasoning') return ''
  return (found.summary.length > 0 ? found.summary : found.content).join('\n\n')
}

function callEvent(id: string, call: Call, moment: 'start' | 'end'): AgentEvent {
  const name = storableText(call.name)
  const callId = storableText(id)
  if (moment === 'start') return { type: 'tool-call', name, input: storableJson(call.input), callId }
  const failed = call.failed ? { failed: true } : {}
  return { type: 'tool-result', name, output: storableJson(call.output), callId, ...failed }
}

function callOf(found: CodexItem): Call | undefined {
  switch (found.type) {
    case 'commandExecution':
      return {
        name: 'shell',
        input: { command: found.command, cwd: found.cwd },
        output: { exitCode: found.exitCode, output: storableText(found.aggregatedOutput ?? '') },
        failed: hasFailed(found.status) || (found.exitCode ?? 0) !== 0,
      }
    case 'fileChange':
      return {
        name: 'apply_patch',
        input: { changes: found.changes },
        output: { status: found.status },
        failed: hasFailed(found.status),
      }
    case 'mcpToolCall':
      return {
        name: `${found.server}.${found.tool}`,
        input: found.arguments,
        output: found.error ?? found.result?.structuredContent ?? found.result?.content,
        failed: hasFailed(found.status) || Boolean(found.error),
      }
    case 'webSearch':
      return { name: 'web_search', input: { query: found.query }, output: found.action, failed: false }
    default:
      return undefined
  }
}

function hasFailed(state: string | undefined): boolean {
  return state === 'failed' || state === 'declined'
}
