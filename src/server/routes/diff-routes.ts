import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getApprovalDiffRoute,
  getJobDiffRoute,
  getTaskDiffRoute,
} from '../../contract/routes/report-routes.ts'
import { type Id, type IdKind, parseId } from '../../domain/id.ts'
import { failure, type Result } from '../../domain/result.ts'
import type { DiffFailure, WorkDiff } from '../../engine/reports/work-diff.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addDiffRoutes(
  { evidence }: Pick<ServerNeeds, 'evidence'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(getTaskDiffRoute, async (context) => {
    const diff = await diffOf('task', context.req.valid('param').id, (id) => evidence.diffOfTask(id))
    return diff.ok ? context.json(succeed(diff.value), 200) : refuse(context, diff.failure)
  })

  app.openapi(getApprovalDiffRoute, async (context) => {
    const diff = await diffOf('approval', context.req.valid('param').id, (id) => evidence.diffOfApproval(id))
    return diff.ok ? context.json(succeed(diff.value), 200) : refuse(context, diff.failure)
  })

  app.openapi(getJobDiffRoute, async (context) => {
    const diff = await diffOf('job', context.req.valid('param').id, (id) => evidence.diffOfJob(id))
    return diff.ok ? context.json(succeed(diff.value), 200) : refuse(context, diff.failure)
  })
}

/** Text that is no id of the kind names nothing. */
async function diffOf<Kind extends IdKind>(
  kind: Kind,
  text: string,
  read: (id: Id<Kind>) => Promise<Result<WorkDiff, DiffFailure>>,
): Promise<Result<WorkDiff, DiffFailure>> {
  const id = parseId(kind, text)
  return id === undefined ? failure({ type: 'not-found', what: kind, id: text }) : read(id)
}
