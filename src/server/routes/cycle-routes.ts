import type { OpenAPIHono } from '@hono/zod-openapi'
import { getCycleRoute, listCyclesRoute } from '../../contract/routes/job-routes.ts'
import { findJob } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { refuse } from '../refuse.ts'
import { cycleToWire } from '../render/cycle-to-wire.ts'
import { taskToWire } from '../render/task-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addCycleRoutes(needs: Pick<ServerNeeds, 'store'>, app: OpenAPIHono<ServerEnvironment>): void {
  const { cycles, tasks } = needs.store.read

  app.openapi(listCyclesRoute, async (context) => {
    const job = await findJob(needs, context.req.valid('param').id)
    if (!job.ok) return refuse(context, job.failure)
    const all = await cycles.listOf(job.value.id)
    return context.json(succeed(pageOf(all, context.req.valid('query'), cycleToWire)), 200)
  })

  app.openapi(getCycleRoute, async (context) => {
    const { id, num } = context.req.valid('param')
    const job = await findJob(needs, id)
    if (!job.ok) return refuse(context, job.failure)
    const cycle = await cycles.findNumber(job.value.id, num)
    if (cycle === undefined) return refuse(context, { type: 'not-found', what: 'cycle', id: String(num) })
    const ofCycle = await tasks.listOfCycle(cycle.id)
    return context.json(succeed({ ...cycleToWire(cycle), tasks: ofCycle.map(taskToWire) }), 200)
  })
}
