import type { OpenAPIHono } from '@hono/zod-openapi'
import { listAgentsRoute, listProvidersRoute } from '../../contract/routes/daemon-routes.ts'
import { refuse } from '../refuse.ts'
import { agentToWire } from '../render/agent-to-wire.ts'
import { providerToWire } from '../render/provider-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addAgentRoutes(
  needs: Pick<ServerNeeds, 'configuration' | 'providers'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listAgentsRoute, async (context) => {
    const read = await needs.configuration.read(context.req.valid('query').repositoryPath)
    if (!read.ok) return refuse(context, read.failure)
    const { agents, checks, planner, worker } = read.value
    const answer = {
      agents: agents.map(agentToWire),
      checks: [...checks],
      ...(planner === undefined ? {} : { planner }),
      ...(worker === undefined ? {} : { worker }),
    }
    return context.json(succeed(answer), 200)
  })

  app.openapi(listProvidersRoute, async (context) => {
    const withModels = context.req.valid('query').models === 'true'
    const items = await Promise.all(needs.providers.map((provider) => providerToWire(provider, withModels)))
    return context.json(succeed({ items }), 200)
  })
}
