import { dollars } from '../../../domain/budget/dollars.ts'
import { codeSpan, inertLine } from '../../../domain/inert-markdown.ts'
import { completionWords } from '../../../domain/job/completion-words.ts'
import { clauseWords } from '../../../domain/report/clause-words.ts'
import { deniedWords } from '../../../domain/report/denied-words.ts'
import { hasLanded } from '../../../domain/report/has-landed.ts'
import type { Report, ReportBlocker, ReportClause, ReportCost } from '../../../domain/report/report.ts'
import type { ReportRun } from '../../../domain/report/report-run.ts'
import { unlandedCount } from '../../../domain/report/unlanded-count.ts'
import { actionWords } from '../../../domain/run/action-words.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { short, taskMarkdown } from './task-markdown.ts'

/** A job's report as a Markdown document. */
export function reportMarkdown(report: Report): string {
  return `${[`# Report of ${report.jobId}`, '', ...reportSections(report)].join('\n')}\n`
}

/** The report without its title, so that it can be part of another document. */
export function reportSections(report: Report): readonly string[] {
  return [
    ...headLines(report),
    ...section('Goal', goalLines(report)),
    ...section('Open problems', blockerLines(report)),
    ...section('Runs', report.runs.flatMap(runLines)),
    ...section(verdictWords(report), readyLines(report)),
    ...section('Cost', costLines(report)),
  ]
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

function headLines(report: Report): readonly string[] {
  const { cycles, checks, evidence, clauses } = report
  const shown = clauses.flatMap((clause) => clause.evidence)
  const elsewhere = evidence.filter((text) => !shown.some((end) => text.endsWith(end)))
  return [
    `- ${endWords(report)}, after ${cycles === 1 ? '1 cycle' : `${cycles} cycles`}`,
    `- from ${codeSpan(report.baseBranch)} at ${short(report.baseCommit)}, on branch ${codeSpan(report.workingBranch)}`,
    `- checks: ${checks.length === 0 ? 'none' : checks.map(codeSpan).join(', ')}`,
    ...elsewhere.map((text) => `- evidence: ${inertLine(text)}`),
  ]
}

function endWords({ status, reason, tasks }: Report): string {
  const known = status === 'completed' ? completionWords(reason ?? '', unlandedCount(tasks)) : undefined
  if (known !== undefined) return known
  return reason === undefined ? status : `${status}: ${inertLine(reason)}`
}

function goalLines(report: Report): readonly string[] {
  const labels = new Map(report.tasks.map((task) => [task.id, taskName(task)]))
  const tasks = new Map(report.tasks.map((task) => [task.id, task]))
  const shown = new Set<string>()
  const linesOf = (ids: ReportClause['tasks']) =>
    ids.flatMap((id) => {
      const task = tasks.get(id)
      if (task === undefined) return []
      if (shown.has(id)) return [`- **${taskName(task)}**: see above`]
      shown.add(id)
      return taskMarkdown(task, labels)
    })
  const blocks = report.clauses.map(({ number, text, status, tasks: serving, evidence }) => [
    `### ${number}. ${inertLine(text)} (${clauseWords(status, report.status)})`,
    ...gap([
      ...evidence.map((words) => `- evidence from the planner: ${inertLine(words)}`),
      ...linesOf(serving),
    ]),
  ])
  const others = linesOf(report.otherTasks)
  const all = [
    ...blocks,
    ...(others.length === 0 ? [] : [['### Work for no particular clause', ...gap(others)]]),
    ...(report.omittedTasks === 0 ? [] : [[`${report.omittedTasks} earlier tasks are left out.`]]),
  ]
  return all.flatMap((block, index) => (index === 0 ? block : ['', ...block]))
}

/** A list needs an empty line between it and its heading. */
function gap(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

function blockerLines(report: Report): readonly string[] {
  const labels = new Map<string, string>(report.tasks.map((task) => [task.id, taskName(task)]))
  return report.blockers.map((blocker) => `- ${whoOf(blocker, labels)}: ${inertLine(blocker.text)}`)
}

function whoOf(blocker: ReportBlocker, labels: ReadonlyMap<string, string>): string {
  if (blocker.type === 'planner') return 'planner'
  return `${blocker.type} ${labels.get(blocker.id) ?? blocker.id}`
}

function runLines({ id, playbook, status, end, reason, degradation, errors }: ReportRun): readonly string[] {
  const why = reason === undefined ? '' : `: ${inertLine(reason)}`
  return [
    `- ${codeSpan(id)} of ${codeSpan(playbook)}: ${end ?? status}${why}`,
    ...degradation.map((note) => `  - ${inertLine(note)}`),
    ...errors.map((error) => {
      const { code, message } = error
      const [line = ''] = message.split('\n', 1)
      return `  - ${inertLine(visitLabel(error))}: ${inertLine(line)}; ${actionWords(error)} (${code})`
    }),
  ]
}

function verdictWords(report: Report): string {
  if (report.merged !== undefined) return 'Merged'
  if (!report.finalizeReady) return 'Not ready to merge'
  if (!hasLanded(report)) return 'Nothing to merge'
  const denied = deniedWords(report, 'others')
  return denied === undefined ? 'Ready to merge' : `Ready to merge, without ${denied}`
}

function readyLines(report: Report): readonly string[] {
  const { finalizeReady, notReady, notes, merged, baseBranch } = report
  const denied = deniedWords(report, 'others')
  const missing = denied === undefined ? [] : [`the work does not include ${denied}`]
  if (merged !== undefined)
    return [
      `- merged into ${codeSpan(baseBranch)}${merged.commit === undefined ? '' : ` at ${short(merged.commit)}`}`,
      ...[...notReady.map((reason) => `merged although ${reason}`), ...missing, ...notes].map(
        (line) => `- ${inertLine(line)}`,
      ),
    ]
  const ready = hasLanded(report)
    ? `every ${denied === undefined ? '' : 'other '}task landed or is covered by later work, the checks passed on every landed tree, and nothing is open`
    : 'the job landed nothing, and nothing is open'
  const reasons = finalizeReady ? [ready] : [...notReady, ...missing]
  return [...reasons, ...notes].map((reason) => `- ${inertLine(reason)}`)
}

function costLines({ cost, agents }: Report): readonly string[] {
  return [
    `- total: ${costWords(cost)}`,
    ...agents.map(
      ({ agent, provider, sessions, cost: own }) =>
        `- ${inertLine(agent)} (${inertLine(provider)}): ${costWords(own)}, ${sessions === 1 ? '1 session' : `${sessions} sessions`}`,
    ),
  ]
}

function costWords({ costUsd, unpriced }: ReportCost): string {
  if (unpriced === 0) return dollars(costUsd)
  return costUsd > 0 ? `${dollars(costUsd)} plus what was not reported` : 'not reported'
}
