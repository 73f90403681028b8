import type { WireEventOf } from '../../../contract/event.ts'
import { safeLine, safeText } from '../text/safe-text.ts'
import type { AgentLine } from './agent-line.ts'

type ToolResult = Extract<WireEventOf<'agent_message'>['data'], { type: 'tool-result' }>
export type ResultDetail = 'normal' | 'verbose'

const LINE_LIMIT = 160
/** Enough to see why a tool failed. */
const LINES = { normal: 6, verbose: 200 } as const satisfies Record<ResultDetail, number>
/** The fields in which programs report what a tool printed, the likeliest first. */
const TEXT_FIELDS = ['error', 'output', 'message', 'text', 'stderr', 'stdout'] as const

/** What a tool answered: the start of its error, or in verbose output any result. */
export function toolResultLines(
  { name, output, failed }: ToolResult,
  detail: ResultDetail,
): readonly AgentLine[] {
  const hasFailed = failed === true
  if (!hasFailed && detail === 'normal') return []
  const kind = hasFailed ? 'error' : 'result'
  const printed = safeText(textOf(output))
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = printed.slice(0, LINES[detail]).map(cut)
  const [first = '', ...others] = shown
  const head = hasFailed ? `${safeLine(name)} failed${exitWords(output)}` : safeLine(name)
  const more = printed.length - shown.length
  const rest = more === 0 ? [] : [`… ${more} more ${more === 1 ? 'line' : 'lines'}`]
  return [
    { kind, text: first === '' ? head : `${head}: ${first}` },
    ...[...others, ...rest].map((line) => ({ kind, text: `  ${line}` }) as const),
  ]
}

/** Keeps the indentation, which may matter in code. */
function cut(line: string): string {
  return line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT - 1)}…` : line.trimEnd()
}

/** What the tool printed, wherever the program reports it; otherwise all of the result as JSON. */
function textOf(output: unknown): string {
  if (output === undefined || output === null) return ''
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(textOf).join('\n')
  const fields = fieldsOf(output)
  const found = TEXT_FIELDS.map((name) => fields[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : JSON.stringify(output)
}

function exitWords(output: unknown): string {
  const fields = fieldsOf(output)
  const code = fields['exitCode'] ?? fieldsOf(fields['metadata'])['exit']
  return typeof code === 'number' ? ` with exit code ${code}` : ''
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
