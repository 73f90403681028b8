import { failure, type Result, success } from '../../../domain/result.ts'
import type { SandboxPolicy } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { LaunchPlan } from '../../../ports/agent-provider.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { Workplace } from '../purposes/workplace.ts'
import { programPlaces } from './program-places.ts'
import { homeDirectoriesOf, sandboxOf } from './sandbox-of.ts'
import { promptFileIn } from './session-environment.ts'

type Needs = Pick<EngineNeeds, 'host' | 'disk' | 'providers' | 'settings'>

/** One run of a session's program: the first, or one that continues its conversation. */
export type Life = {
  readonly session: Session
  readonly workplace: Workplace
  readonly prompt: string
  /** The conversation to continue. */
  readonly resume?: string
  readonly mayBeginAnew?: boolean
}

/** Everything that is needed to start a program. */
export type Launch = {
  readonly plan: LaunchPlan
  readonly sandbox: SandboxPolicy
  /** Directories of the person's home that the program keeps its things in. */
  readonly homeDirectories: readonly string[]
  readonly hasInput: boolean
  /** How its conversation opens, where it has one. */
  readonly opening?: Opening
}

/** Plans the start of a program, without any effect yet. */
export function planLaunch(
  needs: Needs,
  life: Life,
  sessionDirectory: string,
): Promise<Result<Launch, string>> {
  return life.workplace.program.type === 'agent'
    ? planAgent(needs, life, life.workplace.program, sessionDirectory)
    : Promise.resolve(success(planCommand(needs, life, life.workplace.program, sessionDirectory)))
}

type ProgramOf<Type> = Extract<Workplace['program'], { readonly type: Type }>

function planCommand(
  needs: Needs,
  { workplace }: Life,
  { command }: ProgramOf<'command'>,
  sessionDirectory: string,
): Launch {
  const environment = workplace.environment(sessionDirectory)
  const { PATH: searchPath = '' } = environment
  return {
    // A shell line by contract: the person wrote it in their configuration.
    plan: { command: ['/bin/sh', '-c', command], environment },
    sandbox: sandboxOf(needs, workplace, { sessionDirectory, searchPath }),
    homeDirectories: [],
    hasInput: false,
  }
}

async function planAgent(
  needs: Needs,
  life: Life,
  { agent }: ProgramOf<'agent'>,
  sessionDirectory: string,
): Promise<Result<Launch, string>> {
  const { session, workplace, prompt, resume } = life
  const { tree } = workplace
  const provider = needs.providers.get(agent.provider)
  if (provider === undefined) return failure(`there is no provider ${agent.provider}`)
  needs.settings.learnSecretsOf(agent)
  const environment = {
    ...workplace.environment(sessionDirectory),
    ...needs.settings.credentialsOf(provider.credentials),
  }
  const { PATH: searchPath = '' } = environment
  const reach = { sessionDirectory, searchPath, provider }
  const contained = await needs.host.containmentFor(sandboxOf(needs, workplace, reach))
  if (!contained.ok) return failure(describeFailure(contained.failure))
  const isEnclosed = contained.value === 'bubblewrap'
  const chosen = agent.permissions ?? 'auto'
  const unattended = isEnclosed ? 'bypass' : 'ask'
  const permissions = chosen === 'auto' ? unattended : chosen
  const mcp = { url: `${needs.settings.daemonUrl()}/mcp`, token: needs.settings.tokenOf(session.id) }
  const continued = resume === undefined ? {} : { resume }
  const plan = await provider.plan({
    agent,
    role: session.role,
    sessionDirectory,
    promptFile: promptFileIn(sessionDirectory),
    treeDirectory: tree.directory,
    environment,
    mode: session.mode,
    permissions,
    mcp,
    isEnclosed,
    ...continued,
  })
  if (!plan.ok) return failure(describeFailure(plan.failure))
  const opening: Opening = {
    prompt,
    treeDirectory: tree.directory,
    permissions,
    mcp,
    ...(agent.model === undefined ? {} : { model: agent.model }),
    ...continued,
    ...(life.mayBeginAnew === true ? { mayBeginAnew: true } : {}),
  }
  const hasInput = provider.dialogue !== undefined
  const programs = await programPlaces(needs, plan.value)
  return success({
    plan: plan.value,
    sandbox: sandboxOf(needs, workplace, { ...reach, programs }),
    homeDirectories: homeDirectoriesOf(needs, provider),
    hasInput,
    ...(hasInput && session.mode === 'headless' ? { opening } : {}),
  })
}
