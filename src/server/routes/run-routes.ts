import type { OpenAPIHono } from '@hono/zod-openapi'
import { getRunRoute, listRunsRoute } from '../../contract/routes/run-routes.ts'
import { answer } from '../answer.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { runToWire } from '../render/run-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries'>
type App = OpenAPIHono<ServerEnvironment>

export function addRunRoutes({ queries }: Needs, app: App): void {
  app.openapi(listRunsRoute, async (context) => {
    const runs = await queries.runs(context.req.valid('query'))
    return answer(context, runs, pageToWire(runToWire))
  })

  app.openapi(getRunRoute, async (context) =>
    answer(context, await queries.run(context.req.valid('param').id), runToWire),
  )
}
