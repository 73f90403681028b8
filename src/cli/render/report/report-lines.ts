import type { WireReport, WireReportCost, WireReportTask } from '../../../client/index.ts'
import { taskLabel } from '../task/task-label.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import { counted } from '../text/counted.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import type { Tone } from '../text/paint.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'
import { reportTaskLines } from './report-task-lines.ts'

const CLAUSE_TONES = {
  served: 'good',
  open: 'warn',
  shown: 'good',
  untouched: 'dim',
} as const satisfies Record<WireReport['clauses'][number]['status'], Tone>

/** A job's report as a document: goal, work, blockers, cost, and whether it can be taken as final. */
export function reportLines(report: WireReport, look: Look): readonly string[] {
  const heading = (text: string) => look.paint('strong', `## ${text}`)
  const blockers = blockerLines(report, look)
  return [
    look.paint('strong', `# Report of ${report.jobId}`),
    '',
    ...headLines(report),
    '',
    heading('Goal'),
    '',
    ...goalLines(report, look),
    ...(blockers.length === 0 ? [] : [heading('In the way'), '', ...blockers, '']),
    heading('Cost'),
    '',
    ...costLines(report),
    '',
    heading(report.finalizeReady ? 'Ready to be taken as final' : 'Not ready to be taken as final'),
    '',
    ...readyLines(report, look),
    '',
  ]
}

function headLines(report: WireReport): readonly string[] {
  const why = report.reason === undefined ? '' : `: ${safeHead(report.reason)}`
  return [
    `- ${report.status}${why}, after ${counted(report.cycles, 'cycle')} and ${elapsed(report.activeMs)} of work`,
    `- ${safeLine(report.repositoryPath)}, ${safeLine(report.baseBranch)} at ${report.baseCommit.slice(0, 10)} to ${safeLine(report.workingBranch)}`,
    `- checks: ${report.checks.map((check) => safeLine(check)).join('; ') || 'none are configured'}`,
    ...evidenceElsewhere(report).map((text) => `- evidence: ${safeLine(text)}`),
  ]
}

/** What is not shown at a clause of the goal as it is now. */
function evidenceElsewhere({ evidence, clauses }: WireReport): readonly string[] {
  const shown = clauses.flatMap((clause) => clause.evidence)
  return evidence.filter((text) => !shown.some((end) => text.endsWith(end)))
}

function goalLines(report: WireReport, look: Look): readonly string[] {
  const tasks = new Map(report.tasks.map((task) => [task.id, task]))
  const shown = new Set<string>()
  const linesOf = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const task = tasks.get(id)
      if (task === undefined) return []
      if (shown.has(id)) return [`- ${taskLabel(task)}: see above`]
      shown.add(id)
      return reportTaskLines(task, labelsOf(report.tasks), look)
    })
  const clauses = report.clauses.flatMap(({ number, text, status, tasks: serving, evidence }) => [
    `### ${number}. ${safeLine(text)} (${look.paint(CLAUSE_TONES[status], status)})`,
    '',
    ...evidence.map((shown) => `- shown by the planner: ${safeLine(shown)}`),
    ...linesOf(serving),
    ...(serving.length + evidence.length === 0 ? [] : ['']),
  ])
  const others = linesOf(report.otherTasks)
  return [
    ...clauses,
    ...(others.length === 0 ? [] : ['### Work that serves no named clause', '', ...others, '']),
    ...(report.omittedTasks === 0 ? [] : [`${counted(report.omittedTasks, 'earlier task')} left out`, '']),
  ]
}

function labelsOf(tasks: readonly WireReportTask[]): ReadonlyMap<string, string> {
  return new Map(tasks.map((task) => [task.id, taskLabel(task)]))
}

function blockerLines(report: WireReport, look: Look): readonly string[] {
  const labels = labelsOf(report.tasks)
  return report.blockers.flatMap((blocker) => {
    const id = blocker.type === 'planner' ? '' : blocker.id
    const who = blocker.type === 'planner' ? 'planner' : `${blocker.type} ${labels.get(id) ?? id}`
    const command = NEXT[blocker.type](id)
    const given = blocker.type === 'task' ? blocker.suggestion : undefined
    const suggestion = taskSuggestion(given, command, report.status)
    return [
      `- ${look.paint('warn', who)}: ${safeLine(blocker.text)}`,
      ...(suggestion === undefined ? [] : [`  - what helps: ${look.hint(safeLine(suggestion))}`]),
      ...(command === '' ? [] : [`  - try: ${look.hint(command)}`]),
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
    `- in all: ${spent(cost)}, ${elapsed(activeMs)}`,
    ...agents.map(
      ({ agent, provider, sessions, durationMs, cost: own }) =>
        `- ${safeLine(agent)} (${safeLine(provider)}): ${spent(own)}, ${counted(sessions, 'session')}, ${elapsed(durationMs)}`,
    ),
    ...unpricedLines(cost),
  ]
}

function unpricedLines({ unpriced }: WireReportCost): readonly string[] {
  return unpriced === 0 ? [] : [`- no price was told by ${counted(unpriced, 'session')}`]
}

function spent(cost: WireReportCost): string {
  const tokens = tokenWords(cost)
  return [costWords(cost) || 'no price told', ...(tokens === '' ? [] : [`${tokens} tokens`])].join(', ')
}

function readyLines(report: WireReport, look: Look): readonly string[] {
  const notes = report.notes.map((note) => `- ${safeLine(note)}`)
  if (!report.finalizeReady) return [...report.notReady.map((reason) => `- ${safeLine(reason)}`), ...notes]
  return [
    '- every task landed, every landed tree is the one that its checks passed on, and nothing is open',
    ...notes,
    `- take it: ${look.hint(`muster merge ${report.jobId}`)}`,
  ]
}
