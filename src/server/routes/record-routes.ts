import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  findNamesRoute,
  getTaskRoute,
  listLandingsRoute,
  listProjectsRoute,
  listTasksRoute,
} from '../../contract/routes/record-routes.ts'
import { answer, succeed } from '../answer.ts'
import { landingToWire } from '../render/landing-to-wire.ts'
import { namesToWire } from '../render/names-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { taskDetailToWire, taskToWire } from '../render/task-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addRecordRoutes(
  { queries }: Pick<ServerNeeds, 'queries'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listProjectsRoute, async (context) => {
    const { items, ...page } = await queries.projects(context.req.valid('query'))
    const projects = items.map((project) => ({ ...project, createdAt: project.createdAt.toISOString() }))
    return context.json(succeed({ ...page, items: projects }), 200)
  })

  app.openapi(listTasksRoute, async (context) => {
    const tasks = await queries.tasks(context.req.valid('query'))
    return answer(context, tasks, pageToWire(taskToWire))
  })

  app.openapi(getTaskRoute, async (context) => {
    const task = await queries.task(context.req.valid('param').id)
    return answer(context, task, taskDetailToWire)
  })

  app.openapi(listLandingsRoute, async (context) => {
    const landings = await queries.landings(context.req.valid('query'))
    return answer(context, landings, pageToWire(landingToWire))
  })

  app.openapi(findNamesRoute, async (context) => {
    const names = await queries.names(context.req.valid('query'))
    return context.json(succeed(namesToWire(names)), 200)
  })
}
