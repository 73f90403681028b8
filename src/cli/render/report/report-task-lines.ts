import type { WireReportAttempt, WireReportLanding, WireReportTask } from '../../../client/index.ts'
import { landingStateWords } from '../../../domain/landing/landing-wait.ts'
import { successorWords } from '../../../domain/report/successor-words.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { describeChanges } from '../../../domain/task/work-changes.ts'
import { TASK_TONES } from '../job/job-summary.ts'
import { omissionWords } from '../task/omission-words.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'

const DESCRIPTION_LIMIT = 160

/** One task with its evidence, as items of a list. `labels` are the short names of all tasks. */
export function reportTaskLines(
  task: WireReportTask,
  labels: ReadonlyMap<string, string>,
  { paint }: Pick<Display, 'paint'>,
): readonly string[] {
  const status = paint(TASK_TONES[task.status], task.status)
  return [
    `- ${taskName(task)} ${status}: ${safeLine(task.description, DESCRIPTION_LIMIT)}`,
    ...(task.reason === undefined ? [] : [`  - why: ${safeHead(task.reason)}`]),
    ...successorWords(task, labels).map((words) => `  - ${words}`),
    ...resultLines(task),
    ...task.criteria.map(({ text, isMet, evidence = '', by }) => {
      if (isMet === undefined) return `  - criterion "${safeLine(text)}": no reviewer looked at it`
      const state = isMet ? `met according to the ${by}` : 'not met'
      return `  - ${state}: ${safeLine(text)}${evidence === '' ? '' : `: ${safeHead(evidence)}`}`
    }),
    ...triesOf(task).map(({ kind, attempt }) => attemptLine(kind, attempt)),
    ...task.landings.flatMap((landing) => landingLines(landing, labels, paint)),
  ]
}

/** The counts, and what the agent said. Without words of its own, Muster took the counts as its summary. */
function resultLines({ changes, omissions, summary }: WireReportTask): readonly string[] {
  const counts = changes === undefined ? [] : [describeChanges(changes)]
  const words = summary === undefined ? [] : [safeHead(summary)]
  const missing = omissionWords(omissions)
  const leftOut = missing === undefined ? [] : [`left out: ${missing}`]
  return [...new Set([...counts, ...leftOut, ...words])].map((line) => `  - ${line}`)
}

/** Attempts and reviews by time, which is the order of their IDs: each review follows the attempt that it judges. */
function triesOf({ attempts, reviews }: WireReportTask) {
  return [
    ...attempts.map((attempt) => ({ kind: 'attempt', attempt }) as const),
    ...reviews.map((attempt) => ({ kind: 'review', attempt }) as const),
  ].sort((one, other) => (one.attempt.id < other.attempt.id ? -1 : 1))
}

function attemptLine(kind: 'attempt' | 'review', attempt: WireReportAttempt): string {
  const { agent, provider, outcome, verdict, reason, tip, durationMs, cost } = attempt
  // A review whose answer could not be used has rejected nothing.
  const judged = kind === 'review' && outcome === 'rejected' ? 'no verdict' : outcome
  const parts = [
    `${kind} ${attempt.number} by ${safeLine(agent)} (${safeLine(provider)})`,
    `${verdict ?? judged}${reason === undefined ? '' : `: ${safeHead(reason)}`}`,
    elapsed(durationMs),
    costWords(cost),
    tokenWords(cost) === '' ? '' : `${tokenWords(cost)} tokens`,
    tip === undefined ? '' : `commit ${tip.slice(0, 10)}`,
  ]
  return `  - ${parts.filter((part) => part !== '').join(', ')}`
}

function landingLines(
  landing: WireReportLanding,
  labels: ReadonlyMap<string, string>,
  paint: Paint,
): readonly string[] {
  const mates = landing.mates.map((id) => labels.get(id) ?? id)
  return [
    `  - ${landingWords(landing, paint)}${mates.length === 0 ? '' : `, together with ${mates.join(', ')}`}`,
    ...landing.checks.map(
      (check) =>
        `    - check ${paint(check.passed ? 'good' : 'bad', checkWord(check))} on tree ${check.tree.slice(0, 10)}: ${safeLine(check.command)}`,
    ),
  ]
}

function landingWords(
  { id, status, commit, tree, verified, isContained, ...rest }: WireReportLanding,
  paint: Paint,
): string {
  if (status === 'conflicted')
    return `${id} ${paint('warn', 'conflicted')} in ${safeLine(rest.conflictPaths.join(', '))}`
  if (status === 'rejected') return `${id} ${paint('bad', 'rejected')}: ${safeHead(rest.reason ?? '')}`
  if (status !== 'landed') return `${id} ${landingStateWords(status, rest.waitsFor)}`
  const where = `at ${commit?.slice(0, 10)}, tree ${tree?.slice(0, 10)}`
  const proof = verified === true ? 'verified in git' : paint('bad', 'NOT FOUND IN GIT')
  return `${id} ${paint('good', isContained ? 'was already there' : 'landed')} ${where} (${proof})`
}

function checkWord({ passed, isFlaky, failedOnBase }: WireReportLanding['checks'][number]): string {
  if (failedOnBase === true) return 'failed, as on the base,'
  if (!passed) return 'failed'
  return isFlaky === true ? 'passed on the second try (flaky)' : 'passed'
}
