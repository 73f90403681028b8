import type { WireReport, WireReportCost, WireReportTask } from '../../client/index.ts'
import { counted } from './counted.ts'
import { elapsed } from './elapsed.ts'
import type { Look } from './look.ts'
import type { Tone } from './paint.ts'
import { reportTaskLines } from './report-task-lines.ts'
import { safeHead, safeLine } from './safe-text.ts'
import { taskLabel } from './task-label.ts'
import { costWords, tokenWords } from './usage-words.ts'

const CLAUSE_TONES = { served: 'good', open: 'warn', untouched: 'dim' } as const satisfies Record<
  WireReport['clauses'][number]['status'],
  Tone
>

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
    ...report.evidence.map((text) => `- evidence: ${safeLine(text)}`),
  ]
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
  const clauses = report.clauses.flatMap(({ number, text, status, tasks: serving }) => [
    `### ${number}. ${safeLine(text)} (${look.paint(CLAUSE_TONES[status], status)})`,
    '',
    ...(serving.length === 0 ? [] : [...linesOf(serving), '']),
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
  return report.blockers.flatMap(({ type, id = '', text, suggestion }) => {
    const who = type === 'planner' ? 'planner' : `${type} ${labels.get(id) ?? id}`
    const command = NEXT[type](id)
    return [
      `- ${look.paint('warn', who)}: ${safeLine(text)}`,
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

function unpricedLines({ unpriced, unpricedSessions }: WireReportCost): readonly string[] {
  if (unpriced === 0) return []
  const more = unpriced - unpricedSessions.length
  const names = `${unpricedSessions.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [`- no price was told by ${counted(unpriced, 'session')}: ${names}`]
}

function spent(cost: WireReportCost): string {
  const tokens = tokenWords(cost)
  return [costWords(cost) || 'no price told', ...(tokens === '' ? [] : [`${tokens} tokens`])].join(', ')
}

function readyLines(report: WireReport, look: Look): readonly string[] {
  if (!report.finalizeReady) return report.notReady.map((reason) => `- ${safeLine(reason)}`)
  return [
    '- every task landed, every landed tree is the one that its checks passed on, and nothing is open',
    `- take it: ${look.hint(`muster merge ${report.jobId}`)}`,
  ]
}
