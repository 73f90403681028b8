import type { WireLanding } from '../../../client/index.ts'
import type { Look } from '../text/look.ts'
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
 * The merge queue of a job, oldest first; what was checked together has the same candidate. `labels` are the short
 * names of tasks by their ids.
 */
export function landingTable(
  landings: readonly WireLanding[],
  labels: ReadonlyMap<string, string>,
  look: Look,
): readonly string[] {
  if (landings.length === 0) return ['no landings']
  return table(
    ['LANDING', 'STATUS', 'TASK', 'CANDIDATE', 'COMMIT', 'CHECKS', 'WHY'],
    landings.map((landing) => [
      landing.id,
      statusWords(landing, look.paint),
      labels.get(landing.taskId) ?? landing.taskId,
      landing.candidateId ?? '',
      landing.commit?.slice(0, 10) ?? '',
      checkWords(landing, look.paint),
      whyOf(landing),
    ]),
    { columns: look.columns, optional: ['CANDIDATE', 'COMMIT', 'CHECKS'] },
  )
}

/** What passed its checks and waits for a person is under check no more. */
function statusWords({ status, approvalId }: WireLanding, paint: Paint): string {
  return approvalId === undefined ? paint(TONES[status], status) : paint('warn', 'asking')
}

function checkWords({ checks }: WireLanding, paint: Paint): string {
  if (checks.length === 0) return ''
  const failed = checks.filter(({ passed }) => !passed).length
  const isFlaky = checks.some((check) => check.isFlaky === true)
  if (failed > 0) return paint('bad', `${failed} of ${checks.length} failed`)
  return isFlaky ? paint('warn', `${checks.length} passed, flaky`) : paint('good', `${checks.length} passed`)
}

function whyOf({ reason, conflictPaths, approvalId }: WireLanding): string {
  if (approvalId !== undefined) return `waits for you: ${approvalId}`
  if (reason !== undefined) return safeHead(reason, WHY_LIMIT)
  return conflictPaths === undefined ? '' : safeLine(`conflicts in ${conflictPaths.join(', ')}`, WHY_LIMIT)
}
