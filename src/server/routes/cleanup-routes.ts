import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  cleanRoute,
  collectGarbageRoute,
  deleteJobRoute,
  listPinnedRoute,
  restorePinnedRoute,
} from '../../contract/routes/cleanup-routes.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import { answer, succeed } from '../answer.ts'
import {
  cleanedToWire,
  deletedToWire,
  garbageToWire,
  pinnedToWire,
  restoredToWire,
} from '../render/cleanup-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addCleanupRoutes(
  { cleanup }: Pick<ServerNeeds, 'cleanup'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listPinnedRoute, async (context) => {
    const { all, ...query } = context.req.valid('query')
    const works = await cleanup.pinned({ ...query, isAll: all === 'true' })
    return answer(context, works, (found) => ({ items: found.map(pinnedToWire) }))
  })

  app.openapi(restorePinnedRoute, async (context) => {
    const options = context.req.valid('json') ?? {}
    return answer(context, await cleanup.restore(context.req.valid('param').id, options), restoredToWire)
  })

  app.openapi(deleteJobRoute, async (context) => {
    const { dryRun = false, withUnlandedWork = false, withBranch = false } = context.req.valid('json') ?? {}
    const jobId = parseJobId(context.req.valid('param').id)
    const act = dryRun ? cleanup.preview : cleanup.delete
    const deleted = jobId.ok ? await act(jobId.value, { withUnlandedWork, withBranch }) : jobId
    return answer(context, deleted, (plan) => deletedToWire(plan, dryRun))
  })

  app.openapi(cleanRoute, async (context) => {
    const { endedBefore, dryRun = false } = context.req.valid('json') ?? {}
    const cleaned = await cleanup.clean({
      isDryRun: dryRun,
      endedBefore: endedBefore === undefined ? undefined : new Date(endedBefore),
    })
    return context.json(succeed(cleanedToWire(cleaned)), 200)
  })

  app.openapi(collectGarbageRoute, async (context) => {
    const { dryRun = false } = context.req.valid('json') ?? {}
    const items = await cleanup.collect(dryRun)
    return context.json(succeed(garbageToWire(items, dryRun)), 200)
  })
}
