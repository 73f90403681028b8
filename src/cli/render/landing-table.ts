import type { WireLanding } from '../../client/index.ts'
import type { Paint, Tone } from './paint.ts'
import { safeHead, safeLine } from './safe-text.ts'
import { table } from './table.ts'

const TONES = {
  queued: 'dim',
  checking: 'accent',
  landed: 'good',
  conflicted: 'warn',
  rejected: 'bad',
} as const satisfies Record<WireLanding['status'], Tone>

const WHY_LIMIT = 60

/** The merge queue of a job, oldest first; what was checked together has the same candidate. */
export function landingTable(landings: readonly WireLanding[], paint: Paint): readonly string[] {
  if (landings.length === 0) return ['no landings']
  return table(
    ['LANDING', 'STATUS', 'TASK', 'CANDIDATE', 'COMMIT', 'CHECKS', 'WHY'],
    landings.map((landing) => [
      landing.id,
      paint(TONES[landing.status], landing.status),
      landing.taskId,
      landing.candidateId ?? '',
      landing.commit?.slice(0, 10) ?? '',
      checkWords(landing, paint),
      whyOf(landing),
    ]),
  )
}

function checkWords({ checks }: WireLanding, paint: Paint): string {
  if (checks.length === 0) return ''
  const failed = checks.filter(({ passed }) => !passed).length
  const isFlaky = checks.some((check) => check.isFlaky === true)
  if (failed > 0) return paint('bad', `${failed} of ${checks.length} failed`)
  return isFlaky ? paint('warn', `${checks.length} passed, flaky`) : paint('good', `${checks.length} passed`)
}

function whyOf({ reason, conflictPaths }: WireLanding): string {
  if (reason !== undefined) return safeHead(reason, WHY_LIMIT)
  return conflictPaths === undefined ? '' : safeLine(`conflicts in ${conflictPaths.join(', ')}`, WHY_LIMIT)
}
