import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getTrustRoute,
  listTrustedRoute,
  revokeTrustRoute,
  trustRoute,
} from '../../contract/routes/trust-routes.ts'
import type { WireTrust } from '../../contract/trust.ts'
import type { TrustView } from '../../engine/trust/trust-commands.ts'
import { answer, succeed } from '../answer.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addTrustRoutes(
  { trust }: Pick<ServerNeeds, 'trust'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listTrustedRoute, async (context) => {
    const trusted = await trust.list()
    const items = trusted.map(({ path, digest, trustedAt }) => ({
      path,
      digest,
      trustedAt: trustedAt.toISOString(),
    }))
    return context.json(succeed({ items }), 200)
  })

  app.openapi(getTrustRoute, async (context) => {
    return answer(context, await trust.show(context.req.valid('query').repositoryPath), trustToWire)
  })

  app.openapi(trustRoute, async (context) => {
    const { repositoryPath, digest } = context.req.valid('json')
    return answer(context, await trust.trust(repositoryPath, digest), trustToWire)
  })

  app.openapi(revokeTrustRoute, async (context) => {
    const wasTrusted = await trust.revoke(context.req.valid('json').repositoryPath)
    return context.json(succeed({ wasTrusted }), 200)
  })
}

function trustToWire(view: TrustView): WireTrust {
  return { ...view, parts: [...view.parts], untrusted: [...view.untrusted] }
}
