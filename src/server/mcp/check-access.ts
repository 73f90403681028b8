import type { MiddlewareHandler } from 'hono'
import type { ServerEnvironment } from '../server-needs.ts'

export const MCP_PATH = '/mcp'
const AGENT_PATHS = '/api/agent/'

/**
 * Each path has one kind of key: an agent's opens what is for agents and nothing else, a person's everything but
 * that. One of the two is always asked for, so no path can fall between them.
 */
export function checkAccess(
  agents: MiddlewareHandler<ServerEnvironment>,
  people: MiddlewareHandler<ServerEnvironment>,
): MiddlewareHandler<ServerEnvironment> {
  return (context, next) => {
    const { path } = context.req
    return path === MCP_PATH || path.startsWith(AGENT_PATHS) ? agents(context, next) : people(context, next)
  }
}
