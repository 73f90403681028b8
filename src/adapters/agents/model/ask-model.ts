import { setTimeout as delay } from 'node:timers/promises'
import { failure, type Result } from '../../../domain/result.ts'
import { askOnce, type Question, type Reply } from './ask-once.ts'
import type { CallFault } from './describe-call-error.ts'
import type { OpenedModel } from './open-model.ts'

type Needs = {
  readonly opened: OpenedModel
  /** Reports progress to the person. */
  readonly report: (text: string) => void
}

const MAX_RETRIES = 2
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * Asks until there is a reply. Retries temporary failures up to twice, and asks once without a schema if the service
 * may not support schemas.
 */
export async function askModel(
  needs: Needs,
  question: Omit<Question, 'withSchema'>,
  signal: AbortSignal,
): Promise<Result<Reply, CallFault>> {
  let withSchema = true
  for (let retries = 0; ; ) {
    const asked = await askOnce(needs.opened, { ...question, withSchema }, signal)
    if (asked.ok) return asked
    const fault = asked.failure
    if (signal.aborted) return asked
    if (withSchema && fault.isRequestRefused === true && !needs.opened.keepsSchema) {
      withSchema = false
      needs.report('the server does not support a schema; asking for JSON in the text')
      continue
    }
    const pauseMs = pauseAfter(fault, retries)
    if (pauseMs === undefined) return failure({ ...fault, reason: finalReason(fault) })
    retries += 1
    needs.report(`${fault.reason}; asking again in ${secondsOf(pauseMs)}`)
    const isFinished = await delay(pauseMs, false, { signal }).catch(() => signal.aborted)
    if (isFinished) return asked
  }
}

/** How long to wait before the next try; undefined if there is none. */
function pauseAfter(fault: CallFault, retries: number): number | undefined {
  if (!fault.isTemporary || retries >= MAX_RETRIES) return undefined
  const pauseMs = fault.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries
  return pauseMs > LONGEST_PAUSE_MS ? undefined : pauseMs
}

function finalReason({ reason, retryAfterMs }: CallFault): string {
  if (retryAfterMs === undefined || retryAfterMs <= LONGEST_PAUSE_MS) return reason
  const until = new Date(Date.now() + retryAfterMs).toISOString().replace(/\.\d+Z$/, 'Z')
  return `${reason}; try again at ${until}, in ${secondsOf(retryAfterMs)}`
}

function secondsOf(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`
}
