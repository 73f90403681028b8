import type { WireJob } from '../../../contract/job.ts'
import type { MergeReadiness } from '../../follow/merge-readiness.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

const SHOWN_REASONS = 5

type Job = Pick<WireJob, 'baseBranch'>

/** Where and when the work of a job was merged. */
export function mergedLine(
  { baseBranch }: Job,
  { commit, when }: Extract<MergeReadiness, { type: 'merged' }>,
  paint: Paint,
): string {
  const where = commit === undefined ? '' : ` at ${commit.slice(0, 10)}`
  return paint('good', `merged into ${safeLine(baseBranch)}${where}${when === undefined ? '' : `, ${when}`}`)
}

/** Why a job's report says that its work is not ready, if it says so, and what the person left out of it. */
export function readinessLines(
  job: Job,
  readiness: MergeReadiness | undefined,
  paint: Paint,
): readonly string[] {
  if (readiness?.type === 'ready')
    return readiness.denied === undefined
      ? []
      : [paint('good', `ready to merge, without ${readiness.denied}`)]
  if (readiness?.type !== 'not-ready') return []
  return [
    ...notReadyLines(job, readiness, paint),
    ...(readiness.denied === undefined ? [] : [`the work does not include ${readiness.denied}`]),
  ]
}

function notReadyLines(
  { baseBranch }: Job,
  readiness: Extract<MergeReadiness, { type: 'not-ready' }>,
  paint: Paint,
): readonly string[] {
  const { reasons, failing } = readiness
  const verdict = 'not ready to merge'
  if (failing.length > 0) {
    const named = failing.map((command) => `"${safeLine(command)}"`).join(', ')
    const [fails, still] = failing.length === 1 ? ['fails', 'still fails'] : ['fail', 'still fail']
    return [
      paint('warn', `${named} ${fails} on ${safeLine(baseBranch)} and ${still} with this work`),
      paint('warn', verdict),
    ]
  }
  const [first, ...others] = reasons
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return [paint('warn', first === undefined ? verdict : `${verdict}: ${safeLine(first)}${more}`)]
}

/** The same as warnings, before the work goes elsewhere. */
export function notReadyWarnings(reasons: readonly string[]): readonly string[] {
  const more = reasons.length - SHOWN_REASONS
  return [
    ...reasons.slice(0, SHOWN_REASONS).map((reason) => `not ready to merge: ${safeLine(reason)}`),
    ...(more > 0 ? [`not ready to merge for ${more} more reasons; muster report shows them`] : []),
  ]
}
