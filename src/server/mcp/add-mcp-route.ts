import type { OpenAPIHono } from '@hono/zod-openapi'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { AgentCommands } from '../../engine/messages/message-commands.ts'
import type { ServerEnvironment } from '../server-needs.ts'
import type { AgentGuard } from './agent-guard.ts'
import { MCP_PATH } from './check-access.ts'
import { createMcpServer } from './create-mcp-server.ts'

type Needs = { readonly agents: AgentCommands; readonly guard: AgentGuard; readonly version: string }

const METHOD_NOT_ALLOWED = 405

/**
 * Muster's tools over MCP, without sessions of the protocol: each request is answered whole by a server of its
 * own, so nothing is held between requests and a restart of the daemon is not noticed.
 */
export function addMcpRoute(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  app.all(MCP_PATH, async (context) => {
    // A stream from here to the agent would stay open with nothing to say.
    if (context.req.method !== 'POST') return context.body(null, METHOD_NOT_ALLOWED, { allow: 'POST' })
    const { signal } = context.req.raw
    const server = createMcpServer(needs, { sessionId: needs.guard.sessionOf(context), signal })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(context.req.raw)
    } finally {
      await server.close()
    }
  })
}
