import { codeSpan, inertLine } from '../../../domain/inert-markdown.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import { landingStateWords } from '../../../domain/landing/landing-wait.ts'
import type {
  ReportAttempt,
  ReportCriterion,
  ReportLanding,
  ReportTask,
} from '../../../domain/report/report.ts'
import { successorWords } from '../../../domain/report/successor-words.ts'
import { taskName } from '../../../domain/task/task-name.ts'

const DESCRIPTION_LIMIT = 300
const LINE_LIMIT = 300

/** One task with its evidence, as items of a list. `labels` are the short names of all tasks. */
export function taskMarkdown(task: ReportTask, labels: ReadonlyMap<string, string>): readonly string[] {
  return [
    `- **${taskName(task)}** ${task.status}: ${inertLine(task.description, DESCRIPTION_LIMIT)}`,
    ...(task.reason === undefined ? [] : [`  - why: ${head(task.reason)}`]),
    ...successorWords(task, labels).map((words) => `  - ${words}`),
    ...task.criteria.map(criterionLine),
    ...tries(task.attempts, 'attempt'),
    ...tries(task.reviews, 'review'),
    ...task.landings.flatMap((landing) => landingLines(landing, labels)),
  ]
}

function criterionLine({ text, isMet, evidence = '', by = 'worker' }: ReportCriterion): string {
  if (isMet === undefined) return `  - criterion "${inertLine(text, LINE_LIMIT)}": no reviewer looked at it`
  const state = isMet ? `met according to the ${by}` : 'not met'
  const words = evidence === '' ? '' : `: ${head(evidence)}`
  return `  - ${state}: ${inertLine(text, LINE_LIMIT)}${words}`
}

function tries(attempts: readonly ReportAttempt[], kind: 'attempt' | 'review'): readonly string[] {
  return attempts.map(({ number, agent, provider, outcome, verdict, reason }) => {
    // A review whose answer could not be used has rejected nothing.
    const judged = kind === 'review' && outcome === 'rejected' ? 'no verdict' : outcome
    const why = reason === undefined ? '' : `: ${head(reason)}`
    return `  - ${kind} ${number} by ${inertLine(agent)} (${inertLine(provider)}): ${verdict ?? judged}${why}`
  })
}

function landingLines(landing: ReportLanding, labels: ReadonlyMap<string, string>): readonly string[] {
  const mates = landing.mates.map((id) => labels.get(id) ?? id)
  return [
    `  - ${landingWords(landing)}${mates.length === 0 ? '' : `, together with ${mates.join(', ')}`}`,
    ...landing.checks.map((check) => `    - check ${checkWords(check)}: ${codeSpan(check.command)}`),
  ]
}

function landingWords({ status, commit, tree, verified, isContained, ...rest }: ReportLanding): string {
  if (status === 'conflicted') return `conflicted in ${rest.conflictPaths.map(codeSpan).join(', ')}`
  if (status === 'rejected') return `rejected: ${head(rest.reason ?? '')}`
  if (status !== 'landed') return `landing: ${landingStateWords(status, rest.waitsFor)}`
  const where = `at ${short(commit)}, tree ${short(tree)}`
  const proof = verified === true ? 'verified in git' : '**not found in git**'
  return `${isContained ? 'was already there' : 'landed'} ${where} (${proof})`
}

function checkWords({ passed, isFlaky, failedOnBase, tree }: CheckResult): string {
  const where = `on tree ${short(tree)}`
  if (failedOnBase === true) return `failed ${where}, as on the base`
  if (!passed) return `failed ${where}`
  return isFlaky === true ? `passed ${where}, on the second try (flaky)` : `passed ${where}`
}

/** The first line that has text. */
function head(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? ''
  return inertLine(line.replace(/:\s*$/, ''), LINE_LIMIT)
}

/** The start of a commit or tree, as people write it. */
export function short(id: string | undefined): string {
  return codeSpan(id?.slice(0, 10) ?? '')
}
