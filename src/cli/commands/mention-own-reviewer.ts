import type { MusterClient, WireJob } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { safeLine } from '../render/text/safe-text.ts'

/** A program is not the best judge of its own work, so a person learns that another one could review it. */
export async function mentionOwnReviewer(
  { output }: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listProviders'>,
  { agents, worker, reviewer, mode }: WireJob,
): Promise<void> {
  if (mode !== 'review' || output.json || output.quiet) return
  const providerOf = (name: string | undefined) => agents.find((agent) => agent.name === name)?.provider
  const own = providerOf(reviewer)
  const isProgram = AGENT_EXAMPLES.some(({ provider }) => provider === own)
  if (reviewer === undefined || !isProgram || own !== providerOf(worker)) return
  const providers = await client.listProviders()
  if (!providers.ok) return
  const ready = providers.value.items.filter(({ readiness }) => readiness?.type === 'ready')
  const other = AGENT_EXAMPLES.find(
    ({ provider }) => provider !== own && ready.some(({ id }) => id === provider),
  )
  if (other === undefined) return
  const { name } = other
  output.note(
    `the reviewer, ${safeLine(reviewer)}, is the same program as the worker, but ${name} is ready too; to let ${name} review, set roles: { reviewer: { agent: ${name} } } in muster.yaml, and add ${name} under agents if it isn't there`,
  )
}
