import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { WireReport } from '../../contract/report.ts'
import {
  getApprovalDiffRoute,
  getJobDiffRoute,
  getMergeRoute,
  getPullRequestRoute,
  getSessionDiffRoute,
  getTaskDiffRoute,
  listReportsRoute,
  mergeJobRoute,
  preparePullRequestRoute,
} from '../../contract/routes/report-routes.ts'
import type { Report } from '../../domain/report/report.ts'
import type { Result } from '../../domain/result.ts'
import type { Proposal, ProposalFailure } from '../../engine/landing/proposal/prepare-proposal.ts'
import { type JobNotFound, parseJobId } from '../../engine/queries/find-record.ts'
import { answer, succeed } from '../answer.ts'
import { refuse } from '../refuse.ts'
import { instantsToWire } from '../render/instants-to-wire.ts'
import { reportMarkdown } from '../render/markdown/report-markdown.ts'
import { mergeToWire } from '../render/merge-to-wire.ts'
import { pullRequestToWire } from '../render/pull-request-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

/** Added before the routes of one job, so `report` is not taken for an id. */
export function addReportRoutes(
  { queries, jobs }: Pick<ServerNeeds, 'queries' | 'jobs'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listReportsRoute, async (context) => {
    const { format, ...query } = context.req.valid('query')
    const reports = await queries.reports(query)
    const render = format === 'markdown' ? withMarkdown : reportToWire
    return answer(context, reports, (found) => ({ items: found.map(render) }))
  })

  app.openapi(getTaskDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'task', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getSessionDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'session', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getApprovalDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'approval', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getJobDiffRoute, async (context) => {
    const withTaskList = context.req.valid('query').withTaskList === 'true'
    const diff = await queries.diff({ of: 'job', id: context.req.valid('param').id, withTaskList })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getMergeRoute, async (context) => {
    const merge = await queries.merge(context.req.valid('param').id)
    return answer(context, merge, mergeToWire)
  })

  app.openapi(mergeJobRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    const { withTaskList = false, withUncommitted = false, squash = false } = context.req.valid('json') ?? {}
    const options = { withTaskList, withUncommitted, squash }
    const merge = jobId.ok ? await jobs.merge(jobId.value, options) : jobId
    if (!merge.ok) return refuse(context, merge.failure)
    return context.json(succeed(mergeToWire(merge.value)), merge.value.state.type === 'checking' ? 202 : 200)
  })

  app.openapi(getPullRequestRoute, async (context) =>
    pullRequest(context, queries, await queries.proposal(context.req.valid('param').id)),
  )

  app.openapi(preparePullRequestRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    const { withTaskList = false, withUncommitted = false } = context.req.valid('json') ?? {}
    return pullRequest(
      context,
      queries,
      jobId.ok ? await jobs.propose(jobId.value, { withTaskList, withUncommitted }) : jobId,
    )
  })
}

/** The report is read after the proposal was made, so that it describes the same state of the branch. */
async function pullRequest(
  context: Context<ServerEnvironment>,
  queries: ServerNeeds['queries'],
  proposal: Result<Proposal, ProposalFailure | JobNotFound>,
) {
  if (!proposal.ok) return refuse(context, proposal.failure)
  const jobId = proposal.value.job.id
  const reports = await queries.reports({ job: jobId, limit: 1 })
  if (!reports.ok) return refuse(context, reports.failure)
  const [report] = reports.value
  if (report === undefined) return refuse(context, { type: 'job-not-found', jobId })
  return context.json(succeed(pullRequestToWire(proposal.value, report)), 200)
}

function withMarkdown(report: Report): WireReport & { readonly markdown: string } {
  return { ...reportToWire(report), markdown: reportMarkdown(report) }
}

function reportToWire(report: Report): WireReport {
  const { startedAt, completedAt, at, ...rest } = report
  return { ...rest, at: at.toISOString(), ...instantsToWire({ startedAt, completedAt }) }
}
