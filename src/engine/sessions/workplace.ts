import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import { attemptTimeMs } from '../../domain/attempt/attempt-time.ts'
import type { AttemptId, ProjectId, SessionId } from '../../domain/id.ts'
import { type SandboxChoice, USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { TreeRequest } from '../../ports/working-trees.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { copiesInto } from '../trees/copies-into.ts'
import { onlyReads } from '../trees/only-reads.ts'
import { findAttemptPlace } from './attempt-place.ts'
import { environmentOf } from './session-environment.ts'

type Needs = Pick<EngineNeeds, 'store' | 'settings' | 'clock' | 'host'>

/** Where and as whom a session works. */
export type Workplace = {
  readonly agent: AgentSpec
  readonly projectId: ProjectId
  readonly tree: TreeRequest
  readonly sandbox: SandboxChoice
  /** Whether nothing in the tree may be changed, where the sandbox is strong enough to see to it. */
  readonly isReadOnly?: boolean
  /** How long its program may run from now; absent: until somebody stops it. */
  readonly timeMs?: number
  readonly environment: (sessionDirectory: string) => Readonly<Record<string, string>>
}

/** Undefined when what the session belonged to is gone. */
export async function findWorkplace(needs: Needs, session: Session): Promise<Workplace | undefined> {
  const { purpose } = session
  switch (purpose.type) {
    case 'attempt': {
      const attempt = await needs.store.read.attempts.find(purpose.attemptId)
      return attempt === undefined ? undefined : placeOfAttempt(needs, session, attempt)
    }
    case 'standing':
      return {
        agent: purpose.agent,
        projectId: purpose.projectId,
        tree: {
          project: purpose.projectId,
          directory: treeOfSession(needs, session.id),
          // A question to one that is over is asked where it left things.
          commit: purpose.tip ?? purpose.baseCommit,
          branch: purpose.branch,
          ...copiesInto(purpose.repositoryPath, purpose.copy),
        },
        sandbox: purpose.sandbox,
        environment: (directory) => environmentOf(needs, session, directory),
      }
    case 'query': {
      const asked = await needs.store.read.sessions.find(purpose.of)
      const place = asked === undefined ? undefined : await findWorkplace(needs, asked)
      return place === undefined
        ? undefined
        : {
            ...place,
            agent: purpose.agent,
            timeMs: purpose.timeMs,
            environment: (directory) => environmentOf(needs, session, directory),
          }
    }
    case 'check':
      return undefined
  }
}

async function placeOfAttempt(
  needs: Needs,
  session: Session,
  attempt: Attempt,
): Promise<Workplace | undefined> {
  const { read } = needs.store
  const taskId = taskIdOf(attempt)
  const [job, place, task] = await Promise.all([
    read.jobs.find(attempt.jobId),
    findAttemptPlace(read, attempt),
    taskId === undefined ? undefined : read.tasks.find(taskId),
  ])
  if (job === undefined || place.cycle === undefined) return undefined
  const { cycle } = place
  return {
    agent: attempt.agent,
    projectId: job.projectId,
    tree: {
      project: job.projectId,
      directory: treeOfAttempt(needs, attempt.id),
      // After it was settled, what it left is what somebody who asks it wants it to see.
      commit: attempt.tip ?? attempt.baseCommit ?? job.baseCommit,
      branch: task?.branch ?? `${job.workingBranch}--plan`,
      ...copiesInto(job.repositoryPath, job.plan.copy),
    },
    isReadOnly: onlyReads(attempt.role),
    sandbox: job.plan.sandbox ?? USUAL_SANDBOX,
    timeMs: attemptTimeMs(job, needs.clock.now()),
    environment: (directory) =>
      environmentOf(needs, session, directory, {
        MUSTER_CYCLE: String(cycle),
        MUSTER_TASK_ID: taskId ?? '',
        MUSTER_ATTEMPT: String(attempt.number),
      }),
  }
}

/** Where an attempt works. */
export function treeOfAttempt(needs: Pick<EngineNeeds, 'settings'>, attemptId: AttemptId): string {
  return `${needs.settings.treesDirectory}/${attemptId}`
}

/** Where a session works that belongs to no attempt. */
export function treeOfSession(needs: Pick<EngineNeeds, 'settings'>, sessionId: SessionId): string {
  return `${needs.settings.treesDirectory}/${sessionId}`
}
