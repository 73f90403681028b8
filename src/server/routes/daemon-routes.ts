import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getHealthRoute,
  getOpenapiRoute,
  getReadyRoute,
  getStatusRoute,
  shutdownRoute,
} from '../../contract/routes/daemon-routes.ts'
import { refuse } from '../refuse.ts'
import { findWaiting } from '../render/find-waiting.ts'
import { jobSummaryToWire } from '../render/job-to-wire.ts'
import { sessionsToWire } from '../render/sessions-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addDaemonRoutes(
  needs: Pick<ServerNeeds, 'store' | 'clock' | 'version' | 'status' | 'ready' | 'shutdown'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(getHealthRoute, (context) =>
    context.json(succeed({ status: 'ok' as const, version: needs.version }), 200),
  )

  app.openapi(getReadyRoute, async (context) => {
    const ready = await needs.ready()
    if (!ready.ok) return refuse(context, ready.failure)
    return context.json(succeed({ status: 'ready' as const }), 200)
  })

  app.openapi(getStatusRoute, async (context) => {
    const { jobs, sessions } = needs.store.read
    const [daemon, open, live] = await Promise.all([needs.status(), jobs.listOpen(), sessions.listLive()])
    const status = {
      daemon,
      jobs: open.map((job) => jobSummaryToWire(job, needs.clock.now())),
      sessions: await sessionsToWire(needs, live),
      waiting: await findWaiting(needs, open, live),
    }
    return context.json(succeed(status), 200)
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
