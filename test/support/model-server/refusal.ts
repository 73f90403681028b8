import type { AskCount } from './ask-counts.ts'
import type { ScriptedError } from './step.ts'

export type Refusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent: what the wire's own error looks like. */
  readonly body?: unknown
}

/** How a step is refused this time, or nothing when its errors are over. */
export function refusalOf(error: ScriptedError, count: AskCount): Refusal | undefined {
  const resetsAt = count.firstAt + (error.lastsMs ?? 0)
  const isOver = error.lastsMs === undefined ? count.asked > (error.times ?? 1) : Date.now() >= resetsAt
  if (isOver) return undefined
  const seconds = String(Math.ceil(resetsAt / 1000))
  const text = JSON.stringify({ headers: error.headers ?? {}, body: error.body })
    // Alone it stands for the number, as services send it.
    .replaceAll('"{{resetSeconds}}"', seconds)
    .replaceAll('{{resetSeconds}}', seconds)
    .replaceAll('{{resetTime}}', new Date(resetsAt).toISOString())
  return { status: error.status, ...(JSON.parse(text) as Omit<Refusal, 'status'>) }
}
