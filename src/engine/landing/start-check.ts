import type { SessionId } from '../../domain/id.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { failure, type Result } from '../../domain/result.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HostStarted } from '../../ports/session-host.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endSession } from '../sessions/end-session.ts'
import { hostOf } from '../sessions/host-of.ts'
import { sandboxOf } from '../sessions/sandbox-of.ts'
import type { LandingNeeds } from './landing-needs.ts'

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
  const landing = await needs.store.read.landings.find(session.purpose.landingId)
  const isWanted = landing?.state.type === 'checking' && landing.state.sessionId === sessionId
  if (landing === undefined || !isWanted) {
    return endSession(needs, sessionId, { type: 'unstarted', reason: 'its landing has moved on' })
  }
  const started = await launch(needs, session, landing)
  if (!started.ok) return endSession(needs, sessionId, { type: 'unstarted', reason: started.failure })
  await recordStart(needs, session, started.value)
}

/** The tree in which a landing's commit is checked; another commit of the same landing gets another tree. */
export function treeOfCheck(needs: Pick<EngineNeeds, 'settings'>, landing: Landing, commit: string): string {
  return `${needs.settings.treesDirectory}/${landing.id}-${commit.slice(0, 12)}`
}

async function launch(
  needs: Needs,
  session: Session,
  landing: Landing,
): Promise<Result<HostStarted, string>> {
  if (landing.state.type !== 'checking') return failure('its landing has moved on')
  const job = await needs.store.read.jobs.find(landing.jobId)
  if (job === undefined) return failure('its job is gone')
  const { commit } = landing.state
  const directory = treeOfCheck(needs, landing, commit)
  const sessionDirectory = await needs.host.prepare(hostOf(session))
  const { PATH: searchPath = '' } = needs.settings.passedEnvironment
  const workplace = {
    tree: { project: job.projectId, directory, commit, branch: 'muster-check' },
    projectId: job.projectId,
    sandbox: job.plan.sandbox ?? USUAL_SANDBOX,
  }
  const opened = await needs.hub.openTree(workplace.tree)
  if (!opened.ok) return failure(`the tree to check could not be made: ${describeFailure(opened.failure)}`)
  const started = await needs.host.start({
    hostId: hostOf(session),
    // The person's own command from their configuration, which is a shell line by contract.
    command: ['/bin/sh', '-c', session.agentName],
    cwd: directory,
    environment: { ...needs.settings.passedEnvironment, CI: 'true', MUSTER_CHECK: commit },
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
  const deadline = new Date(startedAt.getTime() + needs.settings.checkMinutes * 60_000)
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
