import type { OpenAPIHono } from '@hono/zod-openapi'
import { readForecastInputs } from '../../contract/forecast.ts'
import {
  forecastPlaybookRoute,
  getPlaybookRoute,
  getPlaybookSchemaRoute,
  listPlaybooksRoute,
  validatePlaybookRoute,
} from '../../contract/routes/playbook-routes.ts'
import { answer, succeed } from '../answer.ts'
import { forecastToWire } from '../render/forecast-to-wire.ts'
import { playbookToWire } from '../render/playbook-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addPlaybookRoutes(
  { playbooks, queries }: Pick<ServerNeeds, 'playbooks' | 'queries'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listPlaybooksRoute, async (context) => {
    const views = await playbooks.list(context.req.valid('query').repositoryPath)
    return context.json(succeed({ items: views.map(playbookToWire) }), 200)
  })

  app.openapi(getPlaybookRoute, async (context) => {
    const { name } = context.req.valid('param')
    const { repositoryPath } = context.req.valid('query')
    return answer(context, await playbooks.show(name, repositoryPath), playbookToWire)
  })

  app.openapi(forecastPlaybookRoute, async (context) => {
    const { name } = context.req.valid('param')
    const { repositoryPath, inputs: text } = context.req.valid('query')
    const inputs = text === undefined ? undefined : readForecastInputs(text)
    return answer(context, await queries.forecast({ name, repositoryPath, inputs }), forecastToWire)
  })

  app.openapi(validatePlaybookRoute, async (context) => {
    const view = await playbooks.validate(context.req.valid('json').path)
    return context.json(succeed(playbookToWire(view)), 200)
  })

  app.openapi(getPlaybookSchemaRoute, (context) => context.json(succeed(playbooks.schema()), 200))
}
