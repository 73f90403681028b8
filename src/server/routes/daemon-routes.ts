import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getHealthRoute,
  getOpenapiRoute,
  getReadyRoute,
  getStatusRoute,
  listAgentsRoute,
  listProvidersRoute,
  shutdownRoute,
} from '../../contract/routes/daemon-routes.ts'
import { answer, succeed } from '../answer.ts'
import { agentListToWire } from '../render/agent-to-wire.ts'
import { providerToWire } from '../render/provider-to-wire.ts'
import { statusToWire } from '../render/status-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addDaemonRoutes(
  needs: Pick<ServerNeeds, 'queries' | 'version' | 'status' | 'ready' | 'shutdown'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(getHealthRoute, (context) =>
    context.json(succeed({ status: 'ok' as const, version: needs.version }), 200),
  )

  app.openapi(getReadyRoute, async (context) => {
    return answer(context, await needs.ready(), () => ({ status: 'ready' as const }))
  })

  app.openapi(getStatusRoute, async (context) => {
    const [daemon, status] = await Promise.all([needs.status(), needs.queries.status()])
    return context.json(succeed(statusToWire(daemon, status)), 200)
  })

  app.openapi(listAgentsRoute, async (context) => {
    const agents = await needs.queries.agents(context.req.valid('query').repositoryPath)
    return answer(context, agents, agentListToWire)
  })

  app.openapi(listProvidersRoute, async (context) => {
    const withModels = context.req.valid('query').models === 'true'
    const providers = await needs.queries.providers({ withModels })
    return context.json(succeed({ items: providers.map(providerToWire) }), 200)
  })

  app.openapi(shutdownRoute, (context) => {
    needs.shutdown()
    return context.json(succeed({ status: 'stopping' as const }), 200)
  })

  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  app.openapi(getOpenapiRoute, (context) => {
    const info = { title: 'Muster', version: needs.version }
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info })
    // The document is plain JSON; its library types say less than that.
    return context.json(document as unknown as Record<string, string>, 200)
  })
}
