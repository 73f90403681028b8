import type { WireLanding } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'

const TONES = {
  queued: 'dim',
  checking: 'accent',
  landed: 'good',
  conflicted: 'warn',
  rejected: 'bad',
} as const satisfies Record<WireLanding['status'], Tone>

const WHY_LIMIT = 60

/**
 * The merge queue of a job, oldest first. Landings that were checked together have the same candidate. `labels` maps
 * the IDs of tasks to their short names.
 */
export function landingTable(
  landings: readonly WireLanding[],
  labels: ReadonlyMap<string, string>,
  display: Display,
): readonly string[] {
  if (landings.length === 0) return ['no landings']
  return table(
    ['LANDING', 'STATUS', 'TASK', 'CANDIDATE', 'COMMIT', 'CHECKS', 'WHY'],
    landings.map((landing) => [
      display.shortId(landing.id),
      statusWords(landing, display.paint),
      labels.get(landing.taskId) ?? display.shortId(landing.taskId),
      landing.candidateId === undefined ? '' : display.shortId(landing.candidateId),
      landing.commit?.slice(0, 10) ?? '',
      checkWords(landing, display.paint),
      whyOf(landing, display),
    ]),
    { columns: display.columns, optional: ['CANDIDATE', 'COMMIT', 'CHECKS'] },
  )
}

/** A landing that waits has passed its checks, although its status is still `checking`. */
function statusWords({ status, approvalId, waitsFor }: WireLanding, paint: Paint): string {
  if (approvalId !== undefined) return paint('warn', 'waiting')
  return waitsFor === undefined ? paint(TONES[status], status) : paint('accent', 'waiting')
}

function checkWords({ checks }: WireLanding, paint: Paint): string {
  if (checks.length === 0) return ''
  const failed = checks.filter(({ passed }) => !passed).length
  const isFlaky = checks.some((check) => check.isFlaky === true)
  const tolerated = checks.filter(({ failedOnBase }) => failedOnBase === true).length
  if (failed > 0 && failed === tolerated)
    return paint('warn', `${failed} of ${checks.length} failed, as on the base`)
  if (failed > 0) return paint('bad', `${failed} of ${checks.length} failed`)
  return isFlaky ? paint('warn', `${checks.length} passed, flaky`) : paint('good', `${checks.length} passed`)
}

function whyOf({ reason, conflictPaths, approvalId, waitsFor }: WireLanding, { shortId }: Display): string {
  if (approvalId !== undefined) return `waiting for you: ${shortId(approvalId)}`
  if (waitsFor === 'turn') return 'passed; earlier work lands first'
  if (reason !== undefined) return safeHead(reason, WHY_LIMIT)
  return conflictPaths === undefined ? '' : safeLine(`conflicts in ${conflictPaths.join(', ')}`, WHY_LIMIT)
}
