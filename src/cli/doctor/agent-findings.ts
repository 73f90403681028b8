import type { MusterClient, WireListedAgent, WireProvider } from '../../client/index.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import type { CommandNeeds } from '../command-needs.ts'
import {
  type EnvironmentGap,
  findEnvironmentGap,
  gapWords,
  variableWords,
} from '../daemon/environment-gap.ts'
import { type FoundProgram, programsIn, programWords } from '../daemon/programs-in.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { configuredAgentFinding, isUsualProgram } from './configured-agents.ts'
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
  const { items } = providers.value
  const configured = agents.filter((agent) => !isUsualProgram(agent))
  const taken = new Set(configured.map(({ name }) => name))
  const gap = await findEnvironmentGap(needs, client)
  const elsewhere = gap === undefined ? [] : await programsIn(gap, missingPrograms(items, configured))
  return [
    ...items.flatMap((provider) => providerFindings(provider, taken, agents, elsewhere)),
    ...configured.map((agent) => configuredAgentFinding(agent, items)),
    ...environmentFindings(gap, elsewhere),
    ...absenceFindings(items, agents),
  ]
}

/**
 * Subjects are the names that `--agent` takes. A provider that isn't one program has no finding: its agents have. Nor
 * has a program whose name another agent has taken.
 */
function providerFindings(
  { id, availability, readiness }: WireProvider,
  taken: ReadonlySet<string>,
  agents: readonly WireListedAgent[],
  elsewhere: readonly FoundProgram[],
): readonly Finding[] {
  const { name, program } = exampleOf(id) ?? {}
  if (name === undefined || taken.has(name)) return []
  const subject = `agent ${name}`
  if (availability.type !== 'available' && elsewhere.some((found) => found.program === program))
    return [warn(subject, "installed, but not in the daemon's PATH", 'muster shutdown')]
  if (availability.type !== 'available')
    return [warn(subject, 'not installed', safeLine(availability.install))]
  const version = safeLine(availability.version)
  // With the variables that the configuration gives to this agent, it may be less ready than its program alone.
  const usability = agents.find((agent) => agent.name === name)?.usability
  const unready =
    usability?.type === 'unusable' ? usability : readiness?.type === 'unready' ? readiness : undefined
  if (unready !== undefined) {
    return [warn(subject, `${version}: ${safeLine(unready.reason)}`, safeLine(unready.remedy))]
  }
  return [ok(subject, readiness?.type === 'ready' ? `${version}, ready` : version)]
}

function missingPrograms(
  providers: readonly WireProvider[],
  configured: readonly WireListedAgent[],
): readonly string[] {
  const missing = providers.filter(({ availability }) => availability.type === 'missing')
  const unusable = configured.filter(({ usability }) => usability?.type === 'unusable')
  return [
    ...missing.flatMap(({ id }) => exampleOf(id)?.program ?? []),
    ...unusable.flatMap(({ command }) => command?.[0] ?? []),
  ]
}

const MOST_NAMED = 3

function environmentFindings(
  gap: EnvironmentGap | undefined,
  elsewhere: readonly FoundProgram[],
): readonly Finding[] {
  if (gap === undefined) return []
  const { directories, variables } = gap
  const reasons = [...elsewhere.map(programWords), ...variables.map(variableWords)]
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
  agents: readonly WireListedAgent[],
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

/** Without a check, nothing is known about a person's own programs, and little about settings of their own. */
function canWork({ provider, roles, command, environmentNames, usability }: WireListedAgent): boolean {
  if (!roles.includes(ROLE_FOR.task)) return false
  if (usability !== undefined) return usability.type === 'usable'
  const hasOwnSettings = command !== undefined || environmentNames.length > 0
  return hasOwnSettings || exampleOf(provider) === undefined
}

function exampleOf(provider: string) {
  return AGENT_EXAMPLES.find((example) => example.provider === provider)
}
