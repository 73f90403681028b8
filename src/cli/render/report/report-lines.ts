import type { WireReport, WireReportCost, WireReportTask } from '../../../client/index.ts'
import { clauseWords } from '../../../domain/report/clause-words.ts'
import { deniedWords } from '../../../domain/report/denied-words.ts'
import { hasLanded } from '../../../domain/report/has-landed.ts'
import { unlandedCount } from '../../../domain/report/unlanded-count.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import type { FoundMerge } from '../../repository/find-merge.ts'
import { jobEndWords } from '../job/job-end-words.ts'
import { mergedLine } from '../job/readiness-lines.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import type { Tone } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'
import { reportRunLines } from './report-run-lines.ts'
import { reportTaskLines } from './report-task-lines.ts'

const CLAUSE_TONES = {
  served: 'good',
  open: 'warn',
  shown: 'good',
  untouched: 'dim',
} as const satisfies Record<WireReport['clauses'][number]['status'], Tone>

/**
 * A job's report as a document: goal, work, open problems, cost, and whether the work is ready to merge. `merge` is when
 * it was merged, if that is known.
 */
export function reportLines(report: WireReport, display: Display, merge?: FoundMerge): readonly string[] {
  const heading = (text: string) => display.paint('strong', `## ${text}`)
  const blockers = blockerLines(report, display)
  const runs = reportRunLines(report, display)
  return [
    display.paint('strong', `# Report of ${report.jobId}`),
    '',
    ...headLines(report),
    '',
    heading('Goal'),
    '',
    ...goalLines(report, display),
    ...(blockers.length === 0 ? [] : [heading('Open problems'), '', ...blockers, '']),
    ...(runs.length === 0 ? [] : [heading('Runs'), '', ...runs, '']),
    heading('Cost'),
    '',
    ...costLines(report),
    '',
    heading(verdictWords(report)),
    '',
    ...(report.merged === undefined ? readyLines(report, display) : mergedLines(report, display, merge)),
    '',
  ]
}

function headLines(report: WireReport): readonly string[] {
  return [
    `- ${jobEndWords({ ...report, pausing: false, lastError: undefined }, unlandedCount(report.tasks))}, after ${counted(report.cycles, 'cycle')} and ${elapsed(report.activeMs)} of work`,
    `- ${safeLine(report.repositoryPath)}, from ${safeLine(report.baseBranch)} at ${report.baseCommit.slice(0, 10)}, on branch ${safeLine(report.workingBranch)}`,
    `- checks: ${report.checks.map((check) => safeLine(check)).join('; ') || 'none'}`,
    ...evidenceElsewhere(report).map((text) => `- evidence: ${safeLine(text)}`),
  ]
}

/** Evidence that is not shown at a clause of the current goal. */
function evidenceElsewhere({ evidence, clauses }: WireReport): readonly string[] {
  const shown = clauses.flatMap((clause) => clause.evidence)
  return evidence.filter((text) => !shown.some((end) => text.endsWith(end)))
}

function goalLines(report: WireReport, display: Display): readonly string[] {
  const tasks = new Map(report.tasks.map((task) => [task.id, task]))
  const shown = new Set<string>()
  const linesOf = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const task = tasks.get(id)
      if (task === undefined) return []
      if (shown.has(id)) return [`- ${taskName(task)}: see above`]
      shown.add(id)
      return reportTaskLines(task, labelsOf(report.tasks), display)
    })
  const clauses = report.clauses.flatMap(({ number, text, status, tasks: serving, evidence }) => [
    `${display.paint('strong', `### ${number}. ${safeLine(text)}`)} (${display.paint(CLAUSE_TONES[status], clauseWords(status, report.status))})`,
    '',
    ...evidence.map((shown) => `- evidence from the planner: ${safeLine(shown)}`),
    ...linesOf(serving),
    ...(serving.length + evidence.length === 0 ? [] : ['']),
  ])
  const others = linesOf(report.otherTasks)
  return [
    ...clauses,
    ...(others.length === 0 ? [] : ['### Work for no particular clause', '', ...others, '']),
    ...(report.omittedTasks === 0 ? [] : [`${counted(report.omittedTasks, 'earlier task')} omitted`, '']),
  ]
}

function labelsOf(tasks: readonly WireReportTask[]): ReadonlyMap<string, string> {
  return new Map(tasks.map((task) => [task.id, taskName(task)]))
}

function blockerLines(report: WireReport, display: Display): readonly string[] {
  const labels = labelsOf(report.tasks)
  return report.blockers.flatMap((blocker) => {
    const id = blocker.type === 'planner' ? '' : blocker.id
    const who = blocker.type === 'planner' ? 'planner' : `${blocker.type} ${labels.get(id) ?? id}`
    const command = NEXT[blocker.type](id)
    const given = blocker.type === 'task' ? blocker.suggestion : undefined
    const suggestion = taskSuggestion(given, command, report.status)
    return [
      `- ${display.paint('warn', who)}: ${safeLine(blocker.text)}`,
      ...(suggestion === undefined ? [] : [`  - suggestion: ${display.hint(safeLine(suggestion))}`]),
      ...(command === '' ? [] : [`  - try: ${display.hint(command)}`]),
    ]
  })
}

const NEXT = {
  task: (id: string) => `muster show ${id}`,
  planner: () => '',
  approval: (id: string) => `muster show ${id}`,
  question: (id: string) => `muster answer ${id} "..."`,
} as const satisfies Record<WireReport['blockers'][number]['type'], (id: string) => string>

function costLines({ cost, agents, activeMs }: WireReport): readonly string[] {
  return [
    `- total: ${spent(cost, [elapsed(activeMs)])}`,
    ...agents.map(
      ({ agent, provider, sessions, durationMs, cost: own }) =>
        `- ${safeLine(agent)} (${safeLine(provider)}): ${spent(own, [counted(sessions, 'session'), elapsed(durationMs)])}`,
    ),
    ...unpricedLines(cost),
  ]
}

/** One line for all missing prices. */
function unpricedLines({ unpriced, costUsd }: WireReportCost): readonly string[] {
  if (unpriced === 0) return []
  if (costUsd > 0) return [`- ${counted(unpriced, 'session')} reported no price`]
  const who = unpriced === 1 ? 'the session' : `the ${unpriced} sessions`
  return [`- cost unknown: ${who} reported no price`]
}

function spent(cost: WireReportCost, more: readonly string[]): string {
  const tokens = tokenWords(cost)
  const parts = [costWords(cost), tokens === '' ? '' : `${tokens} tokens`, ...more]
  return parts.filter((part) => part !== '').join(', ')
}

function verdictWords(report: WireReport): string {
  if (report.merged !== undefined) return 'Merged'
  if (!report.finalizeReady) return 'Not ready to merge'
  if (!hasLanded(report)) return 'Nothing to merge'
  const denied = deniedWords(report, 'you')
  return denied === undefined ? 'Ready to merge' : `Ready to merge, without ${denied}`
}

function mergedLines(
  report: WireReport,
  { paint, hint }: Display,
  merge: FoundMerge | undefined,
): readonly string[] {
  const when = merge === undefined ? {} : { when: momentWords(merge.at, new Date(report.at)) }
  const denied = deniedWords(report, 'you')
  return [
    `- ${mergedLine(report, { type: 'merged', ...report.merged, ...merge, ...when }, paint)}`,
    ...report.notReady.map((reason) => `- merged although ${safeLine(reason)}`),
    ...(denied === undefined ? [] : [`- the work does not include ${denied}`]),
    ...report.notes.map((note) => `- ${hint(safeLine(note))}`),
  ]
}

function readyLines(report: WireReport, display: Display): readonly string[] {
  const notes = report.notes.map((note) => `- ${display.hint(safeLine(note))}`)
  const denied = deniedWords(report, 'you')
  if (!report.finalizeReady)
    return [
      ...report.notReady.map((reason) => `- ${safeLine(reason)}`),
      ...(denied === undefined ? [] : [`- the work does not include ${denied}`]),
      ...notes,
    ]
  if (!hasLanded(report)) {
    const exports = report.runs.map(({ id }) => display.hint(`muster export ${id}`))
    return [
      '- the job landed nothing, and nothing is open',
      ...notes,
      ...exports.map((command) => `- read its result: ${command}`),
    ]
  }
  return [
    `- every ${denied === undefined ? '' : 'other '}task landed or is covered by later work, the checks passed on every landed tree, and nothing is open`,
    ...notes,
    `- merge it: ${display.hint(`muster merge ${report.jobId}`)}`,
  ]
}
