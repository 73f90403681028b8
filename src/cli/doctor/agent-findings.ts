import type { MusterClient, WireAgent, WireProvider } from '../../client/index.ts'
import { ROLE_FOR } from '../../domain/attempt/attempt-purpose.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { findEnvironmentGap, gapWords, variableWords } from '../daemon/environment-gap.ts'
import { programWords } from '../daemon/start-refusal.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The agents of the repository that the command runs in. */
export type ListedAgents = Awaited<ReturnType<MusterClient['listAgents']>>

/** Checks the agent programs that the daemon finds, and whether it has what this command has. */
export async function agentFindings(
  needs: CommandNeeds,
  client: MusterClient,
  listed: ListedAgents,
): Promise<readonly Finding[]> {
  const providers = await client.listProviders()
  if (!providers.ok) return [fail('agents', providers.failure.message, 'muster list agents')]
  const agents = listed.ok ? listed.value.agents : []
  const items = providers.value.items.filter(({ id }) => !BUILT_IN.has(id) || isUsed(id, agents))
  return [
    ...items.map(providerFinding),
    ...(await environmentFindings(needs, client, items)),
    ...absenceFindings(items, agents),
  ]
}

/** They run on Muster's own Node, so that they are available says nothing. */
const BUILT_IN: ReadonlySet<string> = new Set(['scripted', 'model'])

function isUsed(id: string, agents: readonly WireAgent[]): boolean {
  return agents.some(({ provider }) => provider === id)
}

/** Subjects are the names that `--agent` takes. */
function providerFinding({ id, availability, readiness }: WireProvider): Finding {
  const subject = `agent ${safeLine(exampleOf(id)?.name ?? id)}`
  if (availability.type !== 'available') return warn(subject, 'not installed', safeLine(availability.install))
  const version = safeLine(availability.version)
  if (readiness?.type === 'unready') {
    return warn(subject, `${version}: ${safeLine(readiness.reason)}`, safeLine(readiness.remedy))
  }
  return ok(subject, readiness?.type === 'ready' ? `${version}, ready` : version)
}

const MOST_NAMED = 3

async function environmentFindings(
  needs: CommandNeeds,
  client: MusterClient,
  providers: readonly WireProvider[],
): Promise<readonly Finding[]> {
  const gap = await findEnvironmentGap(needs, client)
  if (gap === undefined) return []
  const { directories, variables } = gap
  const missing = providers.filter(({ availability }) => availability.type === 'missing')
  const programs = missing.flatMap(({ id }) => exampleOf(id)?.program ?? [])
  const reasons = [...(await programWords(gap, programs)), ...variables.map(variableWords)]
  if (reasons.length > 0)
    return [warn('environment', gapWords(reasons), 'muster shutdown, then muster doctor')]
  if (directories.length === 0) return []
  const more = directories.length > MOST_NAMED ? ` and ${directories.length - MOST_NAMED} more` : ''
  const named = safeLine(directories.slice(0, MOST_NAMED).join(', '))
  const detail = `the daemon's PATH lacks ${named}${more};\nif agents or checks need programs from there, run: muster shutdown`
  return [ok('environment', detail)]
}

/** Without an agent that could work, every job would be refused. */
function absenceFindings(
  providers: readonly WireProvider[],
  agents: readonly WireAgent[],
): readonly Finding[] {
  if (providers.some(isUsable) || agents.some(canWork)) return []
  return [
    fail(
      'agents',
      'no agent can work yet, so no job can start',
      'install an agent program or log in, as suggested above; then: muster doctor',
    ),
  ]
}

function isUsable({ id, availability, readiness }: WireProvider): boolean {
  return exampleOf(id) !== undefined && availability.type === 'available' && readiness?.type !== 'unready'
}

/** Nothing is known in advance about a person's own programs, and little about settings of their own. */
function canWork({ provider, roles, command, environmentNames }: WireAgent): boolean {
  const hasOwnSettings = command !== undefined || environmentNames.length > 0
  return roles.includes(ROLE_FOR.task) && (hasOwnSettings || exampleOf(provider) === undefined)
}

function exampleOf(provider: string) {
  return AGENT_EXAMPLES.find((example) => example.provider === provider)
}
