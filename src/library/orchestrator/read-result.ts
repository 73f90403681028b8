import type { MusterClient, WireJob, WireRun, WireRunResult, WireTask } from '../../client/index.ts'
import { answerOf } from '../muster-error.ts'
import type { MusterJob } from '../muster-job.ts'
import type { AgentSummary, SessionResult } from './orchestrator-session.ts'
import type { StageRoles } from './stage-roles.ts'

type Visit = WireRun['visits'][number]

/** What a job came to. */
export type Ended = {
  readonly job: WireJob
  readonly result: SessionResult
  /** The results of its runs as a document; the job's report if it has no run. */
  readonly markdown: string
  readonly visits: readonly RoleVisit[]
}

/** A visit, with the role that made it; empty if no agent did. */
export type RoleVisit = Visit & { readonly role: string }

type Client = Pick<MusterClient, 'getRunResult' | 'listReports'>
type Place = { readonly job: MusterJob; readonly client: Client; readonly roles: StageRoles }

/** Reads what a job came to. The daemon says it of each run; this only puts it together. */
export async function readEnded({ job, client, roles }: Place): Promise<Ended> {
  const [ended, runs, tasks] = await Promise.all([job.status(), job.runs(), job.tasks()])
  const [results, visits] = await Promise.all([
    Promise.all(runs.map(({ id }) => answerOf(client.getRunResult(id, { format: 'markdown' })))),
    visitsOf(runs, roles),
  ])
  const documents = results.map(({ markdown = '' }) => markdown)
  return {
    job: ended,
    result: resultOf({ job: ended, tasks, results, visits }),
    markdown: documents.length === 0 ? await reportOf(client, job.id) : documents.join('\n'),
    visits,
  }
}

/** The visits of runs and of the runs within them, oldest first. */
export async function visitsOf(runs: readonly WireRun[], roles: StageRoles): Promise<readonly RoleVisit[]> {
  const all = runs.flatMap(withChildren)
  await Promise.all(all.map(({ id }) => roles.load(id)))
  return all
    .flatMap(({ id, visits }) => visits.map((visit) => ({ ...visit, role: roles.roleOf(id, visit.stage) })))
    .toSorted((one, two) => one.createdAt.localeCompare(two.createdAt))
}

type Parts = {
  readonly job: WireJob
  readonly tasks: readonly Pick<WireTask, 'filesModified'>[]
  readonly results: readonly WireRunResult[]
  readonly visits: readonly RoleVisit[]
}

function resultOf({ job, tasks, results, visits }: Parts): SessionResult {
  const end = results.at(-1)?.end
  const isComplete = end === undefined || end === 'land' || end === 'done'
  const startedAt = job.startedAt ?? job.createdAt
  const summaries = results.map(({ summary }) => summary).join('\n')
  return {
    success: job.status === 'completed' && isComplete,
    summary: summaries === '' ? (job.reason ?? job.lastError ?? '') : summaries,
    duration: Date.parse(job.completedAt ?? job.updatedAt) - Date.parse(startedAt),
    agentSummaries: new Map(
      results.flatMap(({ roles }) => roles.map(({ role }) => [role, summaryOf(role, visits)])),
    ),
    artifacts: [...new Set(tasks.flatMap(({ filesModified = [] }) => filesModified))],
    errors: results.flatMap(({ errors }) =>
      errors.map(({ at, stage, message, recovered = false }) => ({
        timestamp: at,
        stage,
        message,
        recovered,
      })),
    ),
  }
}

function summaryOf(role: string, visits: readonly RoleVisit[]): AgentSummary {
  const completed = visits.filter(
    (visit) =>
      visit.role === role &&
      visit.takenFrom === undefined &&
      visit.status === 'settled' &&
      visit.outcome !== 'failed' &&
      visit.outcome !== 'skipped',
  )
  return { role, tasksCompleted: completed.length }
}

async function reportOf(client: Client, job: string): Promise<string> {
  const { items } = await answerOf(client.listReports({ job, format: 'markdown' }))
  return items[0]?.markdown ?? ''
}

function withChildren(run: WireRun): readonly WireRun[] {
  return [run, ...(run.children ?? []).flatMap(withChildren)]
}
