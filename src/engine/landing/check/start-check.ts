import type { SessionId } from '../../../domain/id.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import { failure, type Result } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { HostStarted } from '../../../ports/session-host.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { endSession } from '../../sessions/end-session.ts'
import { hostOf } from '../../sessions/host-of.ts'
import { sandboxOf } from '../../sessions/sandbox-of.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { setupFor } from '../../trees/setup-for.ts'
import { withSetup } from '../../trees/with-setup.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { treeOfCandidate } from './clear-check.ts'

type Needs = LandingNeeds & Pick<EngineNeeds, 'adoptSession'>

/** Starts one check in a throw-away tree of the exact commit that would land. */
export async function startCheck(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.purpose.type !== 'check') return
  // Stopped while it was being started: what came up all the same is stopped.
  if (session.state.type === 'terminated' || session.state.type === 'terminating') {
    return needs.host.stop(hostOf(session), needs.settings.stopGraceMs)
  }
  if (session.state.type !== 'starting') return
  const sight = await needs.host.look(hostOf(session))
  if (sight.type === 'running') return recordStart(needs, session, sight)
  if (sight.type !== 'absent') return needs.adoptSession(sessionId)
  const candidate = await needs.store.read.candidates.find(session.purpose.candidateId)
  const isWanted = candidate?.state.type === 'checking' && candidate.state.sessionId === sessionId
  if (candidate === undefined || !isWanted) {
    return endSession(needs, sessionId, { type: 'unstarted', reason: 'its candidate has moved on' })
  }
  const started = await launch(needs, session, candidate)
  if (!started.ok) return endSession(needs, sessionId, { type: 'unstarted', reason: started.failure })
  await recordStart(needs, session, started.value)
}

async function launch(
  needs: Needs,
  session: Session,
  candidate: Candidate,
): Promise<Result<HostStarted, string>> {
  const job = await needs.store.read.jobs.find(candidate.jobId)
  if (job === undefined) return failure('its job is gone')
  const directory = treeOfCandidate(needs, candidate)
  const sessionDirectory = await needs.host.prepare(hostOf(session))
  const { PATH: searchPath = '' } = needs.settings.passedEnvironment
  const workplace = {
    tree: {
      project: job.projectId,
      directory,
      commit: candidate.commit,
      branch: 'muster-check',
      ...copiesInto(job.repositoryPath, job.plan.copy),
    },
    projectId: job.projectId,
    sandbox: job.plan.sandbox ?? USUAL_SANDBOX,
  }
  // Of a check before it, which failed or was lost: it must not help or harm this one.
  if (session.purpose.type === 'check' && session.purpose.isFresh) await needs.trees.remove(directory)
  const opened = await needs.trees.open(workplace.tree)
  if (!opened.ok) return failure(`the tree to check could not be made: ${describeFailure(opened.failure)}`)
  // The person's own commands from their configuration, which are shell lines by contract.
  const setup = await setupFor(needs, session)
  const command = withSetup(['/bin/sh', '-c', session.agentName], setup, needs.settings.setupMs)
  const started = await needs.host.start({
    hostId: hostOf(session),
    command,
    cwd: directory,
    environment: { ...needs.settings.passedEnvironment, CI: 'true', MUSTER_CHECK: candidate.commit },
    outputCapBytes: needs.settings.outputCapBytes,
    hasInput: false,
    sandbox: sandboxOf(needs, workplace, { sessionDirectory, searchPath }),
  })
  return started.ok ? started : failure(describeFailure(started.failure))
}

async function recordStart(needs: Needs, session: Session, started: HostStarted): Promise<void> {
  const { pid, startTime, containment } = started
  const state = nextSessionState(session.state, { type: 'host-start', pid, startTime })
  if (!state.ok) return
  const startedAt = needs.clock.now()
  const setupMs = (await setupFor(needs, session)).length * needs.settings.setupMs
  const deadline = new Date(startedAt.getTime() + needs.settings.checkMinutes * 60_000 + setupMs)
  await needs.store.transact((records) =>
    records.sessions.save(
      { ...session, state: state.value, containment, startedAt, deadline },
      {
        audit: { actor: 'engine', action: 'check-start', subject: session.id, detail: { pid, containment } },
      },
    ),
  )
  needs.adoptSession(session.id)
}
