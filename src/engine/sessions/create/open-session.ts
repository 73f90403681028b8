import { canTakeRole } from '../../../domain/admission/admit.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { SessionId } from '../../../domain/id.ts'
import { ownBranchOf } from '../../../domain/job/branch-name.ts'
import type { AgentChoiceFailure, ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { ImportFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session, SessionMode } from '../../../domain/session/session.ts'
import { insertSession } from '../../admission/request-place.ts'
import { startLimitsOf } from '../../admission/start-waiter.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { ensureProject } from '../../projects/ensure-project.ts'
import { agentsOrDefault } from '../../providers/default-agent.ts'
import { newSession } from './new-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'configuration' | 'providers' | 'clock' | 'ids' | 'settings'
>

export type OpenSessionRequest = {
  readonly repositoryPath: string
  readonly agent?: string
  readonly role?: string
  readonly mode: SessionMode
  readonly prompt: string
  readonly baseBranch?: string
}

export type OpenSessionFailure =
  | AgentChoiceFailure
  | { readonly type: 'input-invalid'; readonly problem: string }
  | ConfigurationFailure
  | ImportFailure

/** Opens a session of a person's own: one agent in a working tree of its own, until they end it. */
export async function openSession(
  needs: Needs,
  request: OpenSessionRequest,
): Promise<Result<Session, OpenSessionFailure>> {
  const problem = problemOf(request)
  if (problem !== undefined) return failure({ type: 'input-invalid', problem })
  const source = await needs.branches.inspectSource(request.repositoryPath)
  if (!source.ok) return source
  const configuration = await needs.configuration.read(source.value.path)
  if (!configuration.ok) return configuration
  const agents = await agentsOrDefault(needs, configuration.value.agents)
  const agent = chooseAgent(needs, agents, request)
  if (!agent.ok) return agent
  const limits = startLimitsOf(configuration.value)
  const role = request.role ?? agent.value.roles[0] ?? 'worker'
  if (!canTakeRole({ role, agent: agent.value, limits })) {
    return failure({ type: 'agent-unfit', agent: agent.value.name, role, roles: agent.value.roles })
  }
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
      agent: agent.value,
      sandbox: configuration.value.sandbox,
      setup: configuration.value.setup,
      copy: configuration.value.copy,
      limits,
      prompt: request.prompt,
    },
    agent: agent.value,
    role,
    mode: request.mode,
  })
  return success(
    await needs.store.transact((records) =>
      insertSession(needs, records, session, {
        actor: 'person',
        action: 'session-create',
        subject: id,
        detail: { provider: session.provider, mode: session.mode },
      }),
    ),
  )
}

function problemOf({ mode, prompt }: OpenSessionRequest): string | undefined {
  const bytes = new TextEncoder().encode(prompt).length
  if (mode === 'headless' && prompt.trim() === '') return 'a session without a terminal needs something to do'
  return bytes > SESSION_LIMITS.promptBytes
    ? `the prompt has ${bytes} bytes; ${SESSION_LIMITS.promptBytes} are the most`
    : undefined
}

function chooseAgent(
  needs: Needs,
  agents: readonly AgentSpec[],
  { agent: name, role = 'worker' }: OpenSessionRequest,
): Result<AgentSpec, OpenSessionFailure> {
  const named = agents.find((agent) =>
    name === undefined ? agent.roles.includes(role) : agent.name === name,
  )
  if (named === undefined) {
    return name === undefined
      ? failure({ type: 'agent-absent', role })
      : failure({ type: 'agent-unknown', agent: name, known: agents.map((agent) => agent.name) })
  }
  const known = needs.providers.list()
  if (known.includes(named.provider)) return success(named)
  return failure({ type: 'provider-unknown', provider: named.provider, known })
}
