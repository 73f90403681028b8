import type { StartLimits } from '../../../domain/admission/limit-order.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../../domain/agent/built-in-roles.ts'
import { chooseAgent } from '../../../domain/agent/choose-agent.ts'
import { sessionPrompted } from '../../../domain/event/session-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import { ownBranchOf } from '../../../domain/job/branch-name.ts'
import type {
  AgentChoiceFailure,
  ConfigurationFailure,
  TrustFailure,
} from '../../../domain/job/start-failure.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { ImportFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session, SessionMode } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { insertSession } from '../../admission/admit-session.ts'
import { startLimitsOf } from '../../admission/start-waiter.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { ensureProject } from '../../projects/ensure-project.ts'
import { chooseUsable, passedOverOf } from '../../providers/choose-usable.ts'
import { agentNamed } from '../../providers/installed-agents.ts'
import { readTrusted } from '../../trust/read-trusted.ts'
import { newSession } from './new-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'configuration' | 'providers' | 'clock' | 'ids' | 'settings' | 'disk'
>

export type PersonalSessionRequest = {
  readonly repositoryPath: string
  readonly agent?: string
  /** Providers whose programs must not be passed over. */
  readonly neverSkip?: readonly string[]
  readonly role?: string
  readonly mode: SessionMode
  readonly prompt: string
  readonly baseBranch?: string
}

export type PersonalSessionFailure =
  | AgentChoiceFailure
  | { readonly type: 'input-invalid'; readonly problem: string }
  | ConfigurationFailure
  | TrustFailure
  | ImportFailure

type Choice = Pick<PurposeOf<'personal'>, 'agent' | 'passedOver'>

/** Opens a personal session: one agent in its own working tree, until the person ends it. */
export async function createPersonalSession(
  needs: Needs,
  request: PersonalSessionRequest,
): Promise<Result<Session, PersonalSessionFailure>> {
  const problem = problemOf(request)
  if (problem !== undefined) return failure({ type: 'input-invalid', problem })
  const source = await needs.branches.inspectSource(request.repositoryPath)
  if (!source.ok) return source
  const configuration = await readTrusted(needs, source.value.path)
  if (!configuration.ok) return configuration
  const limits = startLimitsOf(configuration.value)
  const { agents, environments } = configuration.value
  const place = { environments, repositoryPath: source.value.path }
  const chosen = await chooseUsable<Choice, PersonalSessionFailure>(needs, agents, place, {
    choose: (known, passedOver) => {
      const agent = chooseFor(needs, known, limits, request)
      return agent.ok ? success({ agent: agent.value, ...passedOverOf(passedOver) }) : agent
    },
    agentsIn: ({ agent }) => [agent],
    isNamed: () => request.agent !== undefined,
    neverSkip: request.neverSkip,
  })
  if (!chosen.ok) return chosen
  const { agent } = chosen.value
  const role = roleFor(request, agent)
  const project = await ensureProject(needs, source.value)
  const base = await needs.branches.importBase(project.id, source.value, request.baseBranch)
  if (!base.ok) return base
  const id: SessionId = needs.ids.next('session')
  const session = newSession(needs, {
    id,
    purpose: {
      type: 'personal',
      projectId: project.id,
      repositoryPath: project.path,
      baseCommit: base.value.commit,
      branch: ownBranchOf(id),
      ...chosen.value,
      sandbox: configuration.value.sandbox,
      setup: configuration.value.setup,
      copy: configuration.value.copy,
      limits,
      prompt: request.prompt,
    },
    agent,
    role,
    mode: request.mode,
  })
  return success(
    await needs.store.transact((records) =>
      insertSession(
        needs,
        records,
        session,
        {
          actor: 'person',
          action: 'session-create',
          subject: id,
          detail: { provider: session.provider, mode: session.mode },
        },
        request.prompt.trim() === '' ? [] : [sessionPrompted(session, request.prompt)],
      ),
    ),
  )
}

function problemOf({ mode, prompt }: PersonalSessionRequest): string | undefined {
  const bytes = new TextEncoder().encode(prompt).length
  if (mode === 'headless' && prompt.trim() === '') return 'a session without a terminal needs a prompt'
  return bytes > SESSION_LIMITS.promptBytes
    ? `the prompt has ${bytes} bytes; the limit is ${SESSION_LIMITS.promptBytes}`
    : undefined
}

function chooseFor(
  needs: Needs,
  agents: readonly AgentSpec[],
  { roles = {} }: StartLimits,
  request: PersonalSessionRequest,
): Result<AgentSpec, AgentChoiceFailure> {
  const requested = request.agent === undefined ? undefined : agentNamed(agents, request.agent)
  const role = roleFor(
    request,
    agents.find(({ name }) => name === requested),
  )
  const agent = chooseAgent({ agents, roles, role, requested })
  const known = needs.providers.list()
  if (!agent.ok || known.includes(agent.value.provider)) return agent
  return failure({ type: 'provider-unknown', provider: agent.value.provider, known })
}

/** An agent that is named without a role takes its own first one. */
function roleFor({ role, agent }: PersonalSessionRequest, named: AgentSpec | undefined): string {
  return role ?? (agent === undefined ? undefined : named?.roles[0]) ?? ROLE_FOR.task
}
