import type { Unready } from '../../../domain/agent/unready.ts'
import type { SessionId } from '../../../domain/id.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { variablesOf } from '../../providers/variables-of.ts'
import { withEnvironment } from '../configured-variables.ts'
import { planOf } from '../purposes/plan-of.ts'
import { storeSuspension } from './suspend-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'settings' | 'clock' | 'assignments' | 'providers' | 'configuration' | 'wakeAt'
>

/**
 * Suspends a session that is ending because its turn failed, if its program reports that it can't work: programs don't
 * report every missing key with the turn. Part of stopping the session, because asking a program takes seconds. Returns
 * whether the session was suspended.
 */
export async function suspendIfUnready(needs: Needs, sessionId: SessionId): Promise<boolean> {
  const ending = await needs.store.read.sessions.find(sessionId)
  return ending !== undefined && hasFailedTurn(ending) && (await suspendUnready(needs, ending))
}

/**
 * Does the same for a session whose program has no turns and exited with an error. The caller records the exit next,
 * and a suspended session stays suspended then.
 */
export async function suspendExitedIfUnready(
  needs: Needs,
  sessionId: SessionId,
  end: SessionEnd,
): Promise<void> {
  if (end.type !== 'exited' || end.code === 0) return
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.state.type !== 'running' || session.conversation.dialogue !== undefined) return
  if (rulesOf(session).waitsForQuota) await suspendUnready(needs, session, end.code)
}

async function suspendUnready(needs: Needs, ending: Session, exitCode?: number): Promise<boolean> {
  if (ending.jobId === undefined) return false
  const unready = await findUnready(needs, ending, exitCode)
  if (unready === undefined) return false
  // A job that ends stops its sessions under this lock. One that is already stopping would be missed.
  const suspended = await needs.store.withJob(ending.jobId, async (records, job) => {
    const session = await records.sessions.find(ending.id)
    if (session === undefined || isJobFinished(job.state)) return false
    return (await storeSuspension(needs, records, session, { type: 'unready', ...unready })).ok
  })
  return suspended ?? false
}

function hasFailedTurn(session: Session): boolean {
  const { state } = session
  if (state.type !== 'terminating' || !rulesOf(session).waitsForQuota) return false
  return state.why.type === 'finished' && state.why.turn.type === 'failed'
}

/** Asks the program with the variables that the session's next process would get, and reads its exit code, if any. */
async function findUnready(
  needs: Needs,
  session: Session,
  exitCode: number | undefined,
): Promise<Unready | undefined> {
  const provider = needs.providers.get(session.provider)
  if (provider?.readiness === undefined) return undefined
  const workplace = await planOf(session).findWorkplace(needs)
  if (workplace?.program.type !== 'agent') return undefined
  const launched = await withEnvironment(needs, workplace.program.agent, workplace.projectId)
  if (!launched.ok) return undefined
  const { settings } = needs
  const request = {
    agent: launched.value,
    environment: { ...settings.passedEnvironment, ...settings.credentialsOf(variablesOf(provider)) },
    treeDirectory: workplace.tree.directory,
  }
  const readiness = await provider.readiness(request)
  if (readiness.type !== 'unready') {
    return exitCode === undefined ? undefined : provider.unreadyAfter?.(exitCode, request)
  }
  const { type: _, ...unready } = readiness
  return unready
}
