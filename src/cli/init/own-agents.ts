import type { MusterClient } from '../../client/index.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { AGENT_EXAMPLES } from './agent-examples.ts'

/**
 * The names of the agents in the person's own file that can do tasks. No repository is at the root, so the
 * configuration there is the person's own. A supported program that needs no configuration isn't one of them.
 */
export async function ownAgents(client: MusterClient): Promise<readonly string[]> {
  const listed = await client.listAgents('/')
  if (!listed.ok) return []
  const workers = listed.value.agents.filter(({ roles }) => roles.includes(ROLE_FOR.task))
  return workers
    .map(({ name }) => name)
    .filter((name) => AGENT_EXAMPLES.every((usual) => usual.name !== name))
}
