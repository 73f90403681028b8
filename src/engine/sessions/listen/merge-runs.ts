import type { AgentEvent } from '../../../domain/event/agent-event.ts'

/** One event read from a line of output. */
export type Reported = {
  readonly event: AgentEvent
  /** The line was too long to keep whole; this is a piece of it. */
  readonly isPiece: boolean
}

const MAX_CHARACTERS = 16 * 1024

/**
 * Joins runs of plain lines into events of several lines, for programs that flood: a row for each of millions of
 * lines would fill the database and hold up every other session.
 */
export function mergeRuns(reported: readonly Reported[]): readonly Reported[] {
  const merged: Reported[] = []
  let run: string[] = []
  let length = 0
  const close = (type: AgentEvent['type'] | undefined): void => {
    if (run.length > 0 && isPlain(type))
      merged.push({ event: { type, text: run.join('\n') }, isPiece: false })
    run = []
    length = 0
  }
  let before: AgentEvent['type'] | undefined
  for (const one of reported) {
    const { event, isPiece } = one
    const isJoinable = (event.type === 'text' || event.type === 'error-output') && !isPiece
    if (!isJoinable || event.type !== before || length + event.text.length > MAX_CHARACTERS) close(before)
    before = event.type
    if (!isJoinable) {
      merged.push(one)
      continue
    }
    run.push(event.text)
    length += event.text.length + 1
  }
  close(before)
  return merged
}

function isPlain(type: AgentEvent['type'] | undefined): type is 'text' | 'error-output' {
  return type === 'text' || type === 'error-output'
}
