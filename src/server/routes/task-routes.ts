import type { OpenAPIHono } from '@hono/zod-openapi'
import { getTaskRoute, listTasksRoute } from '../../contract/routes/record-routes.ts'
import { findJob, findRecord } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { recentCount } from '../recent-count.ts'
import { refuse } from '../refuse.ts'
import { attemptToWire } from '../render/attempt-to-wire.ts'
import { landingToWire } from '../render/landing-to-wire.ts'
import { taskToWire } from '../render/task-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addTaskRoutes(needs: Pick<ServerNeeds, 'store'>, app: OpenAPIHono<ServerEnvironment>): void {
  const { tasks, attempts, landings, candidates } = needs.store.read

  app.openapi(listTasksRoute, async (context) => {
    const { job: jobText, ...query } = context.req.valid('query')
    if (jobText === undefined) {
      const recent = await tasks.listRecent(recentCount(query))
      return context.json(succeed(pageOf(recent, query, taskToWire)), 200)
    }
    const job = await findJob(needs, jobText)
    if (!job.ok) return refuse(context, job.failure)
    return context.json(succeed(pageOf(await tasks.listOfJob(job.value.id), query, taskToWire)), 200)
  })

  app.openapi(getTaskRoute, async (context) => {
    const task = await findRecord('task', context.req.valid('param').id, (id) => tasks.find(id))
    if (!task.ok) return refuse(context, task.failure)
    const [ofTask, landed, tried] = await Promise.all([
      attempts.listOfTask(task.value.id),
      landings.listOfTask(task.value.id),
      candidates.listOfJob(task.value.jobId),
    ])
    const detail = {
      attempts: ofTask.map((attempt) => attemptToWire(attempt, task.value)),
      landings: landed.map((landing) => landingToWire(landing, tried)),
    }
    return context.json(succeed({ ...taskToWire(task.value), ...detail }), 200)
  })
}
