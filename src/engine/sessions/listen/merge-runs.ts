import type { AgentEvent } from '../../../domain/event/agent-event.ts'

/** What a line meant. */
export type Told = {
  readonly event: AgentEvent
  /** The line was too long to be held whole: this is a part of it. */
  readonly isPiece: boolean
}

const MAX_CHARACTERS = 16 * 1024

/**
 * Joins runs of plain lines into texts of several lines. For a program that floods: a row for each of millions of
 * lines that nobody can read one by one would fill the database and keep everybody else waiting.
 */
export function mergeRuns(told: readonly Told[]): readonly Told[] {
  const merged: Told[] = []
  let run: string[] = []
  let length = 0
  const close = (type: AgentEvent['type'] | undefined): void => {
    if (run.length > 0 && isPlain(type))
      merged.push({ event: { type, text: run.join('\n') }, isPiece: false })
    run = []
    length = 0
  }
  let before: AgentEvent['type'] | undefined
  for (const one of told) {
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
