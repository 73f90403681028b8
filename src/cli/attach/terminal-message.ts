import type { WireSessionEnd } from '../../client/index.ts'
import { failureBodySchema } from '../../contract/envelope.ts'
import { sessionEndSchema } from '../../contract/session-end.ts'

/** What the daemon tells beside the bytes for the terminal. */
export type TerminalMessage =
  | { readonly type: 'opened'; readonly readOnly: boolean }
  | { readonly type: 'screen'; readonly text: string }
  | { readonly type: 'ended'; readonly end: WireSessionEnd }
  | { readonly type: 'refused'; readonly failure: string; readonly message: string }

/** A message, or nothing for one that a daemon of another version may send. */
export function parseTerminalMessage(text: string): TerminalMessage | undefined {
  const value = parseObject(text)
  switch (value?.['type']) {
    case 'opened':
      return { type: 'opened', readOnly: value['readOnly'] === true }
    case 'screen':
      return typeof value['text'] === 'string' ? { type: 'screen', text: value['text'] } : undefined
    case 'ended': {
      const end = sessionEndSchema.safeParse(value['end'])
      return { type: 'ended', end: end.success ? end.data : { type: 'lost', reason: 'nobody knows how' } }
    }
    case 'refused': {
      const body = failureBodySchema.safeParse({ success: false, error: value['error'] })
      const error = body.success ? body.data.error : { type: 'unknown', message: 'The daemon refused.' }
      return { type: 'refused', failure: error.type, message: error.message }
    }
    default:
      return undefined
  }
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
