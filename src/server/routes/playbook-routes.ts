import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getPlaybookRoute,
  getPlaybookSchemaRoute,
  listPlaybooksRoute,
  validatePlaybookRoute,
} from '../../contract/routes/playbook-routes.ts'
import { answer, succeed } from '../answer.ts'
import { playbookToWire } from '../render/playbook-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addPlaybookRoutes(
  { playbooks }: Pick<ServerNeeds, 'playbooks'>,
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

  app.openapi(validatePlaybookRoute, async (context) => {
    const view = await playbooks.validate(context.req.valid('json').path)
    return context.json(succeed(playbookToWire(view)), 200)
  })

  app.openapi(getPlaybookSchemaRoute, (context) => context.json(succeed(playbooks.schema()), 200))
}
