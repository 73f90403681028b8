import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { PassedOver } from '../../domain/agent/passed-over.ts'
import { READY_MADE } from '../../domain/agent/ready-made.ts'
import type { AgentChoiceFailure, AgentUnready, ProgramMissing } from '../../domain/job/start-failure.ts'
import { failure, type Result } from '../../domain/result.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AgentPlace, findUnusableAgent } from './find-unusable-agent.ts'
import { installedAgents, ownAgents, readyMadeAgent } from './installed-agents.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'disk'>

export type Unusable = ProgramMissing | AgentUnready

type Choice<Value, Failure> = {
  /** Chooses among the configured agents and the installed programs, without those that were passed over. */
  readonly choose: (
    agents: readonly AgentSpec[],
    passedOver: readonly Unusable[],
  ) => Result<Value, Failure | AgentChoiceFailure>
  readonly agentsIn: (chosen: Value) => readonly AgentSpec[]
  /** Whether the person asked for this agent. */
  readonly isNamed: (agent: string) => boolean
  /** Providers whose programs must not be passed over because they aren't installed or not logged in. */
  readonly neverSkip?: readonly string[] | undefined
  /** Whether another agent could take the part of this configured agent. */
  readonly isReplaceable?: (agent: string, chosen: Value, passedOver: readonly Unusable[]) => boolean
}

/**
 * Chooses agents that can work. An installed program that nobody named is passed over if it isn't ready, and so is a
 * replaceable agent, as long as another one can take its part; otherwise, the failure is about the first choice.
 */
export async function chooseUsable<Value, Failure>(
  needs: Needs,
  configured: readonly AgentSpec[],
  place: AgentPlace,
  { choose, agentsIn, isNamed, isReplaceable, neverSkip = [] }: Choice<Value, Failure>,
): Promise<Result<Value, Failure | AgentChoiceFailure>> {
  const installed = await installedAgents(needs, configured, place, neverSkip)
  const passedOver: Unusable[] = []
  for (;;) {
    const others = installed.filter(({ name }) => passedOver.every(({ agent }) => agent !== name))
    const agents = [...ownAgents(configured), ...others]
    const chosen = choose(agents, passedOver)
    if (!chosen.ok)
      return failure(passedOver[0] ?? (await withInstalls(needs, agents, place, chosen.failure)))
    const unusable = await findUnusableAgent(needs, agentsIn(chosen.value), place)
    if (unusable === undefined) return chosen
    const { agent } = unusable
    const isSpare = others.some(({ name }) => name === agent) && !isNamed(agent)
    const canPassOver = isSpare || isReplaceable?.(agent, chosen.value, passedOver) === true
    const provider = agents.find(({ name }) => name === agent)?.provider
    const isKept = isAboutEnvironment(unusable) && neverSkip.some((kept) => kept === provider)
    if (!canPassOver || isKept) return failure(unusable)
    passedOver.push(unusable)
  }
}

/** Whether a daemon with another environment could use the agent. */
function isAboutEnvironment(unusable: Unusable): boolean {
  return unusable.type === 'program-missing' || unusable.cause === 'login'
}

/** Reported to the person, who may have expected another agent. */
export function passedOverOf(unusable: readonly Unusable[]): {
  readonly passedOver?: readonly PassedOver[]
} {
  const passedOver = unusable.flatMap((one) =>
    one.type === 'agent-unready' ? [{ agent: one.agent, reason: one.reason }] : [],
  )
  return passedOver.length === 0 ? {} : { passedOver }
}

/** Without any agent, or without a program that would be one, the person needs a program rather than a setting. */
async function withInstalls<Failure>(
  needs: Needs,
  agents: readonly AgentSpec[],
  place: AgentPlace,
  failed: Failure | AgentChoiceFailure,
): Promise<Failure | AgentChoiceFailure> {
  if (isOf(failed, 'agent-unknown')) {
    const program = readyMadeAgent(failed.agent)
    return (program && (await findUnusableAgent(needs, [program], place))) ?? failed
  }
  if (!isOf(failed, 'agent-absent') || agents.length > 0) return failed
  return { ...failed, installs: await howToInstall(needs) }
}

/** How to install each agent program that works without configuration. */
async function howToInstall({ providers }: Pick<Needs, 'providers'>): Promise<readonly string[]> {
  const found = await Promise.all(READY_MADE.map(({ provider }) => providers.get(provider)?.availability()))
  return found.flatMap((availability) => (availability?.type === 'missing' ? [availability.install] : []))
}

function isOf<Type extends AgentChoiceFailure['type']>(
  failed: unknown,
  type: Type,
): failed is Extract<AgentChoiceFailure, { readonly type: Type }> {
  return typeof failed === 'object' && failed !== null && 'type' in failed && failed.type === type
}
