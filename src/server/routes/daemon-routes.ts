import type { OpenAPIHono } from '@hono/zod-openapi'
import type { DaemonStatus, WireStatus } from '../../contract/daemon-status.ts'
import {
  getEnvironmentRoute,
  getHealthRoute,
  getOpenapiRoute,
  getReadyRoute,
  getStatusRoute,
  getStorageRoute,
  listAgentsRoute,
  listProvidersRoute,
  shutdownRoute,
} from '../../contract/routes/daemon-routes.ts'
import { terminalRoute } from '../../contract/terminal.ts'
import type { StatusView } from '../../engine/queries/status.ts'
import { answer, succeed } from '../answer.ts'
import { agentListToWire, providerToWire } from '../render/agent-to-wire.ts'
import { jobSummaryToWire } from '../render/job-to-wire.ts'
import { sessionToWire } from '../render/session-to-wire.ts'
import { waitingToWire } from '../render/waiting-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addDaemonRoutes(
  needs: Pick<
    ServerNeeds,
    'queries' | 'version' | 'status' | 'storage' | 'environment' | 'ready' | 'shutdown'
  >,
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

  app.openapi(getStorageRoute, async (context) => context.json(succeed(await needs.storage()), 200))

  app.openapi(getEnvironmentRoute, async (context) => context.json(succeed(await needs.environment()), 200))

  app.openapi(listAgentsRoute, async (context) => {
    const { repositoryPath, usability } = context.req.valid('query')
    const agents = await needs.queries.agents({ repositoryPath, withUsability: usability === 'true' })
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

  app.openAPIRegistry.registerPath(terminalRoute)
  for (const name of ['bearer', 'session'])
    app.openAPIRegistry.registerComponent('securitySchemes', name, { type: 'http', scheme: 'bearer' })
  app.openapi(getOpenapiRoute, (context) => {
    const info = { title: 'Muster', version: needs.version }
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info })
    // The document is plain JSON, but its library type is narrower.
    return context.json(document as unknown as Record<string, string>, 200)
  })
}

function statusToWire(daemon: DaemonStatus, { jobs, sessions, waiting }: StatusView): WireStatus {
  return {
    daemon,
    jobs: jobs.map(jobSummaryToWire),
    sessions: sessions.map(sessionToWire),
    waiting: waiting.map(waitingToWire),
  }
}
