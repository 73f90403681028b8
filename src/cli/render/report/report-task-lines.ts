import type { WireReportAttempt, WireReportLanding, WireReportTask } from '../../../client/index.ts'
import { TASK_TONES } from '../job/job-summary.ts'
import { taskLabel } from '../task/task-label.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'

const DESCRIPTION_LIMIT = 160

/** One task with what it rests on, as items of a list. `labels` are the short names of all tasks. */
export function reportTaskLines(
  task: WireReportTask,
  labels: ReadonlyMap<string, string>,
  { paint }: Look,
): readonly string[] {
  const status = paint(TASK_TONES[task.status], task.status)
  const heir = task.supersededBy === undefined ? undefined : labels.get(task.supersededBy)
  return [
    `- ${taskLabel(task)} ${status}: ${safeLine(task.description, DESCRIPTION_LIMIT)}`,
    ...(task.reason === undefined ? [] : [`  - why: ${safeHead(task.reason)}`]),
    ...(heir === undefined ? [] : [`  - its work came in with ${heir}`]),
    ...task.criteria.map(({ text, isMet, evidence = '', by }) => {
      const words = isMet === undefined ? 'not said whether' : isMet ? `met, says the ${by},` : 'not met:'
      return `  - ${words} ${safeLine(text)}${evidence === '' ? '' : `: ${safeHead(evidence)}`}`
    }),
    // Ids sort by the time they were made, so that each review stands behind what it is about.
    ...[...task.attempts, ...task.reviews]
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map(attemptLine),
    ...task.landings.flatMap((landing) => landingLines(landing, labels)),
  ]
}

function attemptLine(attempt: WireReportAttempt): string {
  const { role, agent, provider, outcome, verdict, reason, tip, durationMs, cost } = attempt
  const isReview = role === 'reviewer'
  // A reviewer whose answer could not be used has rejected nothing.
  const judged = isReview && outcome === 'rejected' ? 'no verdict' : outcome
  const parts = [
    `${isReview ? 'review' : 'attempt'} ${attempt.number} by ${safeLine(agent)} (${safeLine(provider)})`,
    `${verdict ?? judged}${reason === undefined ? '' : `: ${safeHead(reason)}`}`,
    elapsed(durationMs),
    costWords(cost),
    tokenWords(cost) === '' ? '' : `${tokenWords(cost)} tokens`,
    tip === undefined ? '' : `left ${tip.slice(0, 10)}`,
  ]
  return `  - ${parts.filter((part) => part !== '').join(', ')}`
}

function landingLines(landing: WireReportLanding, labels: ReadonlyMap<string, string>): readonly string[] {
  const mates = landing.mates.map((id) => labels.get(id) ?? id)
  return [
    `  - ${landingWords(landing)}${mates.length === 0 ? '' : `, together with ${mates.join(', ')}`}`,
    ...landing.checks.map(
      ({ command, passed, isFlaky, tree }) =>
        `    - check ${checkWord(passed, isFlaky)} on tree ${tree.slice(0, 10)}: ${safeLine(command)}`,
    ),
  ]
}

function landingWords({
  id,
  status,
  commit,
  tree,
  verified,
  isContained,
  ...rest
}: WireReportLanding): string {
  if (status === 'conflicted') return `${id} conflicted in ${safeLine(rest.conflictPaths.join(', '))}`
  if (status === 'rejected') return `${id} rejected: ${safeHead(rest.reason ?? '')}`
  if (status !== 'landed') return `${id} ${status}`
  const where = `at ${commit?.slice(0, 10)}, tree ${tree?.slice(0, 10)}`
  const proof = verified === true ? 'git agrees' : 'GIT DOES NOT AGREE'
  return `${id} ${isContained ? 'was there already' : 'landed'} ${where} (${proof})`
}

function checkWord(passed: boolean, isFlaky: boolean | undefined): string {
  if (!passed) return 'failed'
  return isFlaky === true ? 'passed the second time (flaky)' : 'passed'
}
