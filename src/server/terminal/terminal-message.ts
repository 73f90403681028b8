import type { FailureBody } from '../../contract/envelope.ts'
import type { TerminalSight, TerminalSize } from '../../ports/terminal-host.ts'

/** What a viewer may say in a text frame; its binary frames are what was typed. */
export type ViewerMessage =
  | { readonly type: 'input'; readonly text: string }
  | ({ readonly type: 'resize' } & TerminalSize)
  /** Send nothing until `resume`: for a viewer that cannot keep up. */
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Asks for the visible screen as plain text. */
  | { readonly type: 'screen' }

/** What a viewer is told in a text frame; binary frames are for its terminal. */
export type TerminalMessage =
  | { readonly type: 'opened'; readonly sessionId: string; readonly readOnly: boolean }
  /** Whether somebody is at the keyboard. */
  | { readonly type: 'keyboard'; readonly taken: boolean }
  /** As it was asked for, or the last one just before `ended`. */
  | { readonly type: 'screen'; readonly text: string }
  | { readonly type: 'ended'; readonly end: Exclude<TerminalSight, { readonly type: 'running' }> }
  | { readonly type: 'refused'; readonly error: FailureBody['error'] }

const MOST_COLUMNS = 1_000
const MOST_ROWS = 500
const LEAST = 2

/** A message, or nothing for text that is none. */
export function parseViewerMessage(text: string): ViewerMessage | undefined {
  const value = parseObject(text)
  switch (value?.['type']) {
    case 'input':
      return typeof value['text'] === 'string' ? { type: 'input', text: value['text'] } : undefined
    case 'resize': {
      const size = parseSize(value['columns'], value['rows'])
      return size === undefined ? undefined : { type: 'resize', ...size }
    }
    case 'pause':
    case 'resume':
    case 'screen':
      return { type: value['type'] }
    default:
      return undefined
  }
}

/** A size that a screen can have, from numbers or their digits. */
export function parseSize(columns: unknown, rows: unknown): TerminalSize | undefined {
  const size = { columns: Number(columns), rows: Number(rows) }
  const isWithin = (count: number, most: number) => Number.isInteger(count) && count >= LEAST && count <= most
  return isWithin(size.columns, MOST_COLUMNS) && isWithin(size.rows, MOST_ROWS) ? size : undefined
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
