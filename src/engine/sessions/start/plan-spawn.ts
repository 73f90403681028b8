import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import { describeUnready } from '../../../domain/agent/unready.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { SandboxPolicy } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { LaunchPlan } from '../../../ports/agent-provider.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { findHomeProblem } from '../../providers/find-home-problem.ts'
import { variablesOf } from '../../providers/variables-of.ts'
import { withEnvironment } from '../configured-variables.ts'
import type { Workplace } from '../purposes/workplace.ts'
import { promptFileIn } from '../session-environment.ts'
import { programPlaces } from './program-places.ts'
import { homeDirectoriesOf, sandboxOf } from './sandbox-of.ts'

type Needs = Pick<EngineNeeds, 'host' | 'disk' | 'providers' | 'settings' | 'store' | 'configuration'>

/** One run of a session's program: the first, or one that continues its conversation. */
export type ProgramStart = {
  readonly session: Session
  readonly workplace: Workplace
  readonly prompt: string
  /** The conversation to continue. */
  readonly resume?: string
  readonly mayBeginAnew?: boolean
}

/** Everything that is needed to start a program. */
export type SpawnPlan = {
  readonly plan: LaunchPlan
  readonly sandbox: SandboxPolicy
  /** Directories in the person's home where the program keeps its files. */
  readonly homeDirectories: readonly string[]
  readonly hasInput: boolean
  /** How its conversation opens, if it has one. */
  readonly opening?: Opening
}

/** Plans the start of a program. Has no side effects. */
export function planSpawn(
  needs: Needs,
  request: ProgramStart,
  sessionDirectory: string,
): Promise<Result<SpawnPlan, string>> {
  return request.workplace.program.type === 'agent'
    ? planAgent(needs, request, request.workplace.program, sessionDirectory)
    : Promise.resolve(success(planCommand(needs, request, request.workplace.program, sessionDirectory)))
}

type ProgramOf<Type> = Extract<Workplace['program'], { readonly type: Type }>

function planCommand(
  needs: Needs,
  { workplace }: ProgramStart,
  { command }: ProgramOf<'command'>,
  sessionDirectory: string,
): SpawnPlan {
  const environment = workplace.environment(sessionDirectory)
  const { PATH: searchPath = '' } = environment
  return {
    // A shell line by contract: it comes from the person's configuration.
    plan: { command: ['/bin/sh', '-c', command], environment },
    sandbox: sandboxOf(needs, workplace, { sessionDirectory, searchPath }),
    homeDirectories: [],
    hasInput: false,
  }
}

/** By default, an agent in a sandbox may do anything, and any other asks. */
function permissionsOf({ permissions = 'auto' }: AgentSpec, isEnclosed: boolean): 'bypass' | 'ask' {
  const unattended = isEnclosed ? 'bypass' : 'ask'
  return permissions === 'auto' ? unattended : permissions
}

async function planAgent(
  needs: Needs,
  request: ProgramStart,
  { agent, answer }: ProgramOf<'agent'>,
  sessionDirectory: string,
): Promise<Result<SpawnPlan, string>> {
  const { session, workplace, prompt, resume } = request
  const { tree } = workplace
  const provider = needs.providers.get(agent.provider)
  if (provider === undefined) return failure(`there is no provider ${agent.provider}`)
  const project = await needs.store.read.projects.find(workplace.projectId)
  const homeProblem = await findHomeProblem(needs, provider, project?.path)
  if (homeProblem !== undefined) return failure(describeUnready(homeProblem))
  const launched = await withEnvironment(needs, agent, workplace.projectId)
  if (!launched.ok) return launched
  const environment = {
    ...workplace.environment(sessionDirectory),
    ...needs.settings.credentialsOf(variablesOf(provider)),
  }
  const { PATH: searchPath = '' } = environment
  const reach = { sessionDirectory, searchPath, provider }
  const contained = await needs.host.containmentFor(sandboxOf(needs, workplace, reach))
  if (!contained.ok) return failure(describeFailure(contained.failure))
  const isEnclosed = contained.value === 'bubblewrap'
  const permissions = permissionsOf(agent, isEnclosed)
  const mcp = { url: `${needs.settings.daemonUrl()}/mcp`, token: needs.settings.tokenOf(session.id) }
  const continued = resume === undefined ? {} : { resume }
  const plan = await provider.plan({
    agent: launched.value,
    role: session.role,
    ...(answer === undefined ? {} : { answer }),
    sessionDirectory,
    promptFile: promptFileIn(sessionDirectory),
    prompt,
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
    ...(request.mayBeginAnew === true ? { mayBeginAnew: true } : {}),
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
