import type { OpenAPIHono } from '@hono/zod-openapi'
import { listProjectsRoute } from '../../contract/routes/record-routes.ts'
import { pageOf } from '../page-of.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addProjectRoutes(
  needs: Pick<ServerNeeds, 'store'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listProjectsRoute, async (context) => {
    const projects = await needs.store.read.projects.list()
    const page = pageOf(projects, context.req.valid('query'), (project) => ({
      ...project,
      createdAt: project.createdAt.toISOString(),
    }))
    return context.json(succeed(page), 200)
  })
}
