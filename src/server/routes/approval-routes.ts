import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { approvalQuerySchema } from '../../contract/approval.ts'
import {
  allowApprovalRoute,
  denyApprovalRoute,
  getApprovalRoute,
  listApprovalsRoute,
} from '../../contract/routes/approval-routes.ts'
import { type ApprovalId, parseId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ApprovalFilter } from '../../ports/store/approval-records.ts'
import { findJob, findSession, type JobNotFound, type SessionNotFound } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { recentCount } from '../recent-count.ts'
import { refuse } from '../refuse.ts'
import { approvalsToWire, approvalWithAgent } from '../render/approval-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

type Needs = Pick<ServerNeeds, 'store' | 'sessions'>
type NotFound = { readonly type: 'approval-not-found'; readonly approvalId: string }

/** What agents wait to be allowed. */
export function addApprovalRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  const { approvals } = needs.store.read

  app.openapi(listApprovalsRoute, async (context) => {
    const query = context.req.valid('query')
    const filter = await filterOf(needs, query)
    if (!filter.ok) return refuse(context, filter.failure)
    const found = await approvals.list(filter.value, recentCount(query))
    const page = pageOf(found, query, (approval) => approval)
    return context.json(succeed({ ...page, items: await approvalsToWire(needs, page.items) }), 200)
  })

  app.openapi(getApprovalRoute, async (context) => {
    const text = context.req.valid('param').id
    const id = parseApprovalId(text)
    const found = id.ok ? await approvals.find(id.value) : undefined
    if (found === undefined) return refuse(context, { type: 'approval-not-found', approvalId: text })
    return context.json(succeed(await approvalWithAgent(needs, found)), 200)
  })

  app.openapi(allowApprovalRoute, async (context) => {
    const id = parseApprovalId(context.req.valid('param').id)
    if (!id.ok) return refuse(context, id.failure)
    const { digest } = context.req.valid('json')
    const decided = await needs.sessions.decide(id.value, { type: 'allow' }, digest)
    if (!decided.ok) return refuse(context, decided.failure)
    return context.json(succeed(await approvalWithAgent(needs, decided.value)), 200)
  })

  app.openapi(denyApprovalRoute, async (context) => {
    const id = parseApprovalId(context.req.valid('param').id)
    if (!id.ok) return refuse(context, id.failure)
    const { reason = 'a person said no', digest } = context.req.valid('json')
    const decided = await needs.sessions.decide(id.value, { type: 'deny', reason }, digest)
    if (!decided.ok) return refuse(context, decided.failure)
    return context.json(succeed(await approvalWithAgent(needs, decided.value)), 200)
  })
}

async function filterOf(
  needs: Needs,
  { job: jobText, session: sessionText, status }: z.output<typeof approvalQuerySchema>,
): Promise<Result<ApprovalFilter, JobNotFound | SessionNotFound>> {
  const job = jobText === undefined ? undefined : await findJob(needs, jobText)
  if (job?.ok === false) return job
  const session = sessionText === undefined ? undefined : await findSession(needs, sessionText)
  if (session?.ok === false) return session
  return success({
    ...(job === undefined ? {} : { jobId: job.value.id }),
    ...(session === undefined ? {} : { sessionId: session.value.id }),
    ...(status === 'pending' ? { isPending: true } : {}),
  })
}

/** Text that is no approval's id is an approval that does not exist. */
function parseApprovalId(text: string): Result<ApprovalId, NotFound> {
  const id = parseId('approval', text)
  return id === undefined ? failure({ type: 'approval-not-found', approvalId: text }) : success(id)
}
