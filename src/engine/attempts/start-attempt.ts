import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptTimeMs } from '../../domain/attempt/attempt-time.ts'
import { nextAttemptState } from '../../domain/attempt/next-attempt-state.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { AttemptId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result } from '../../domain/result.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import type { HostStarted } from '../../ports/session-host.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endSession } from '../sessions/end-session.ts'
import { environmentOf, promptFileIn } from './attempt-environment.ts'
import { promptOf } from './attempt-prompt.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'hub'
  | 'host'
  | 'disk'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'adoptSession'
  | 'log'
>

/** What could not be started for this long is given up. */
const PATIENCE_MS = 30 * 60_000

/**
 * Makes the working tree and starts the agent in it. Run again after a death at any point it finds what the
 * first run left (tree, prompt, running program) and goes on from there.
 */
export async function startAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt === undefined) return
  if (attempt.state.type !== 'preparing') return stopStray(needs, attempt)
  const [session, facts] = await Promise.all([
    needs.store.read.sessions.find(attempt.sessionId),
    readFacts(needs, attempt),
  ])
  if (session === undefined || facts === undefined) return
  const sight = await needs.host.look(session.id)
  // Asked to stop before it began: nothing may start any more, and what did is stopped.
  if (session.state.type !== 'starting') return abandon(needs, session)
  if (sight.type === 'running') return recordStart(needs, facts.job, attempt, session, sight)
  // It ran and ended while nobody was there: its spools are read to the end like any other's.
  if (sight.type !== 'absent') return needs.adoptSession(session.id)
  const waitedMs = needs.clock.now().getTime() - session.createdAt.getTime()
  const started =
    waitedMs > PATIENCE_MS
      ? failure('it could not be started for too long')
      : await launch(needs, attempt, facts)
  if (!started.ok) return endSession(needs, session.id, { type: 'unstarted', reason: started.failure })
  await recordStart(needs, facts.job, attempt, session, started.value)
}

/** Whoever settled the attempt while its program was being started could not know of it. */
async function stopStray(needs: Needs, attempt: Attempt): Promise<void> {
  const isOver = attempt.state.type === 'ended' || attempt.state.type === 'settled'
  if (isOver) await needs.host.stop(attempt.sessionId, needs.settings.stopGraceMs)
}

async function abandon(needs: Needs, session: Session): Promise<void> {
  await needs.host.stop(session.id, needs.settings.stopGraceMs)
  await endSession(needs, session.id, { type: 'lost', reason: 'stopped before it was seen to start' })
}

/** Where an attempt works. */
export function treeOfAttempt(needs: Pick<EngineNeeds, 'settings'>, attemptId: AttemptId): string {
  return `${needs.settings.treesDirectory}/${attemptId}`
}

type Facts = { readonly job: Job; readonly cycle: Cycle; readonly task: Task | undefined }

async function readFacts(needs: Needs, attempt: Attempt): Promise<Facts | undefined> {
  const { read } = needs.store
  const [job, cycle, task] = await Promise.all([
    read.jobs.find(attempt.jobId),
    read.cycles.find(attempt.cycleId),
    attempt.taskId === undefined ? undefined : read.tasks.find(attempt.taskId),
  ])
  return job === undefined || cycle === undefined ? undefined : { job, cycle, task }
}

async function launch(needs: Needs, attempt: Attempt, facts: Facts): Promise<Result<HostStarted, string>> {
  const { job, cycle, task } = facts
  const provider = needs.providers.get(attempt.agent.provider)
  if (provider === undefined) return failure(`there is no provider ${attempt.agent.provider}`)
  const treeDirectory = treeOfAttempt(needs, attempt.id)
  const [opened, directory] = await Promise.all([
    needs.hub.openTree({
      project: job.projectId,
      directory: treeDirectory,
      commit: attempt.baseCommit ?? job.baseCommit,
      branch: task?.branch ?? `${job.workingBranch}--plan`,
    }),
    writePrompt(needs, job, attempt, task),
  ])
  if (!opened.ok) return failure(`its working tree could not be made: ${describeFailure(opened.failure)}`)
  needs.crash.reach('attempt-start.after-tree')

  const plan = await provider.plan({
    agent: attempt.agent,
    role: attempt.role,
    promptFile: promptFileIn(directory),
    treeDirectory,
    environment: environmentOf(needs, attempt, cycle.number, directory),
  })
  if (!plan.ok) return failure(describeFailure(plan.failure))
  const started = await needs.host.start({
    sessionId: attempt.sessionId,
    command: plan.value.command,
    cwd: treeDirectory,
    environment: plan.value.environment,
    outputCapBytes: needs.settings.outputCapBytes,
  })
  if (!started.ok) return failure(describeFailure(started.failure))
  needs.crash.reach('attempt-start.after-spawn')
  return started
}

/** Gives the session's directory, with the prompt in it. */
async function writePrompt(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  task: Task | undefined,
): Promise<string> {
  const [directory, prompt] = await Promise.all([
    needs.host.prepare(attempt.sessionId),
    promptOf(needs, job, attempt, task),
  ])
  await needs.disk.writeFile(promptFileIn(directory), prompt)
  return directory
}

async function recordStart(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  session: Session,
  started: HostStarted,
): Promise<void> {
  const { pid, startTime, containment } = started
  const sessionState = nextSessionState(session.state, { type: 'host-start', pid, startTime })
  const attemptState = nextAttemptState(attempt.state, { type: 'session-start' })
  if (!sessionState.ok || !attemptState.ok) return
  const now = needs.clock.now()
  const deadline = new Date(now.getTime() + attemptTimeMs(job, now))
  await needs.store.transact(async (records) => {
    await records.attempts.save(
      { ...attempt, state: attemptState.value },
      { audit: { actor: 'engine', action: 'attempt-run', subject: attempt.id, detail: {} } },
    )
    await records.sessions.save(
      { ...session, state: sessionState.value, containment, startedAt: now, deadline },
      {
        audit: {
          actor: 'engine',
          action: 'session-start',
          subject: session.id,
          detail: { pid, containment },
        },
        events: [
          {
            type: 'session_started',
            jobId: session.jobId,
            ...(attempt.taskId === undefined ? {} : { taskId: attempt.taskId }),
            attemptId: attempt.id,
            sessionId: session.id,
            data: {
              role: attempt.role,
              agent: attempt.agent.name,
              provider: session.provider,
              pid,
              containment,
            },
          },
        ],
      },
    )
  })
  needs.adoptSession(session.id)
}
