import type { AskCount } from './ask-counts.ts'
import type { ScriptedError } from './step.ts'

export type Refusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent: the usual error of the service. */
  readonly body?: unknown
}

/** The refusal of a step this time, or undefined once its errors are used up. */
export function refusalOf(error: ScriptedError, count: AskCount): Refusal | undefined {
  const resetsAt = count.firstAt + (error.lastsMs ?? 0)
  const isFinished = error.lastsMs === undefined ? count.asked > (error.times ?? 1) : Date.now() >= resetsAt
  if (isFinished) return undefined
  const seconds = String(Math.ceil(resetsAt / 1000))
  const text = JSON.stringify({ headers: error.headers ?? {}, body: error.body })
    // A placeholder alone becomes a number, because services send a number.
    .replaceAll('"{{resetSeconds}}"', seconds)
    .replaceAll('{{resetSeconds}}', seconds)
    .replaceAll('{{resetTime}}', new Date(resetsAt).toISOString())
  return { status: error.status, ...(JSON.parse(text) as Omit<Refusal, 'status'>) }
}
