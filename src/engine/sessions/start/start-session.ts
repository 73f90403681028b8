import { programStarted } from '../../../domain/event/session-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type ConversationState, NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import { placedAt, type Session } from '../../../domain/session/session.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import type { HostFailure, HostSnapshot, HostStarted } from '../../../ports/session-host.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { withSetup } from '../../trees/with-setup.ts'
import { Conversation } from '../conversation.ts'
import { endSession } from '../end/end-session.ts'
import { hostOf } from '../host-of.ts'
import { programOf } from '../program-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { SessionPlan } from '../purposes/session-plan.ts'
import type { Workplace } from '../purposes/workplace.ts'
import { outboxIn, promptFileIn } from '../session-environment.ts'
import { type ProgramStart, planSpawn, type SpawnPlan } from './plan-spawn.ts'

export type StartNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'configuration'
  | 'trees'
  | 'branches'
  | 'history'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'providers'
  | 'assignments'
  | 'clock'
  | 'crash'
  | 'settings'
  | 'adoptSession'
>

/** Used until a viewer attaches with its own size. */
const USUAL_SIZE = { columns: 120, rows: 30 }

/** Starts a session's first process. Safe to repeat after a crash at any point. */
export async function startSession(needs: StartNeeds, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) return
  const program = programOf(needs, session)
  // Stopped while it was starting: stop the program in case it came up anyway.
  if (session.state.type === 'terminated' || session.state.type === 'terminating') {
    return program.stop(needs.settings.stopGraceMs)
  }
  if (!isNew(session)) return
  const plan = planOf(session)
  const preparing = requestOrProblem(needs, session, plan)
  // Awaited below, unless it turns out that nothing is to be started.
  preparing.catch(() => undefined)
  const [snapshot, readiness] = await Promise.all([program.inspect(), plan.readiness(needs)])
  // It ran and ended unseen: read its spools to the end like any other's.
  if (!isStartable(snapshot)) return needs.adoptSession(sessionId)
  const giveUp = (reason: string, part?: StartProblem['part']) =>
    endSession(needs, sessionId, withoutUndefined({ type: 'unstarted' as const, reason, part }))
  if (snapshot.type === 'absent') {
    if (readiness.type === 'later') return
    if (readiness.type === 'never') return giveUp(readiness.reason)
  }
  const request = await preparing
  if (typeof request === 'string') return giveUp(request)
  const started = await startProgram(needs, request, snapshot)
  if (!started.ok) await giveUp(started.failure.reason, started.failure.part)
}

/** Admitted, and never had a process. */
function isNew({ state }: Session): boolean {
  return state.type === 'starting' && state.resume === undefined
}

/** Building the prompt may fail temporarily, so it is retried for a while before giving up. */
async function requestOrProblem(
  needs: StartNeeds,
  session: Session,
  plan: SessionPlan,
): Promise<ProgramStart | string> {
  try {
    const [workplace, prompt] = await Promise.all([plan.findWorkplace(needs), plan.firstPrompt(needs)])
    if (workplace === undefined) return 'what it should work on no longer exists'
    const { conversation } = workplace
    return { session, workplace, prompt, ...(conversation === undefined ? {} : { resume: conversation }) }
  } catch (error) {
    const waitedMs = needs.clock.now().getTime() - placedAt(session)
    if (waitedMs < SESSION_LIMITS.promptPatienceMs) throw error
    return `its prompt could not be built: ${error instanceof Error ? error.message : error}`
  }
}

/** A program that may be started: absent, or already running since an earlier try. */
type Startable = Extract<HostSnapshot, { readonly type: 'absent' | 'running' }>

export function isStartable(snapshot: HostSnapshot): snapshot is Startable {
  return snapshot.type === 'absent' || snapshot.type === 'running'
}

/** Why a program couldn't be started, and what couldn't be made for it. */
type StartProblem = { readonly reason: string; readonly part?: 'tree' }

/**
 * Starts one run of a session's program and records that it runs. Safe to repeat: it reuses whatever an earlier run
 * left, a running program included.
 */
export async function startProgram(
  needs: StartNeeds,
  request: ProgramStart,
  snapshot: Startable,
): Promise<Result<undefined, StartProblem>> {
  const { session, workplace } = request
  const spawned =
    snapshot.type === 'running'
      ? success({ started: snapshot, opening: undefined })
      : await spawnProgram(needs, request)
  if (!spawned.ok) return spawned
  if (session.processNumber > 1) needs.crash.reach('conversation.before-next-process')
  const { started, opening = await openingOf(needs, request) } = spawned.value
  await recordStart(needs, { session, started, workplace, opening })
  return success(undefined)
}

/** The started host, and how its conversation opens if it has one. */
type Spawned = { readonly started: HostStarted } & Pick<SpawnPlan, 'opening'>

/**
 * Creates the working tree and starts the program in it. Safe to repeat after a crash at any point: it finds what the
 * first run left (tree, prompt) and continues from there.
 */
async function spawnProgram(
  needs: StartNeeds,
  request: ProgramStart,
): Promise<Result<Spawned, StartProblem>> {
  const { workplace } = request
  if (workplace.isFresh === true) await needs.trees.remove(workplace.tree.directory)
  const [opened, sessionDirectory] = await Promise.all([
    needs.trees.open(workplace.tree),
    prepareDirectory(needs, request),
  ])
  if (!opened.ok) {
    const reason = `its working tree could not be created: ${describeFailure(opened.failure)}`
    return failure({ reason, part: 'tree' })
  }
  needs.crash.reach('attempt-start.after-tree')
  const spawn = await planSpawn(needs, request, sessionDirectory)
  if (!spawn.ok) return failure({ reason: spawn.failure })
  const { plan, homeDirectories, opening } = spawn.value
  for (const [path, text] of Object.entries(plan.files ?? {})) await needs.disk.writeFile(path, text)
  // The sandbox can only show directories that exist. Without them, the program's first log-in would be lost.
  for (const path of homeDirectories) await needs.disk.makeDirectory(path)
  for (const { from, to } of plan.copies ?? []) await needs.disk.copyIfAbsent(from, to)
  const started = await start(needs, request, spawn.value)
  if (!started.ok) return failure({ reason: describeFailure(started.failure) })
  needs.crash.reach('attempt-start.after-spawn')
  return success({ started: started.value, ...(opening === undefined ? {} : { opening }) })
}

/** Interactive sessions get a terminal; the others a host that spools their output. */
function start(
  needs: StartNeeds,
  { session, workplace }: ProgramStart,
  { plan, sandbox, hasInput }: SpawnPlan,
): Promise<Result<HostStarted, HostFailure>> {
  const { setupMs, outputCapBytes } = needs.settings
  const common = {
    hostId: hostOf(session),
    command: withSetup(plan.command, workplace.setup, setupMs),
    environment: plan.environment,
    cwd: workplace.tree.directory,
    sandbox,
  }
  return session.mode === 'interactive'
    ? needs.terminals.open({ ...common, ...USUAL_SIZE })
    : needs.host.start({ ...common, hasInput, outputCapBytes })
}

/** The opening of a program that was found running: the same one it was started with. */
async function openingOf(needs: StartNeeds, request: ProgramStart): Promise<SpawnPlan['opening']> {
  const planned = await planSpawn(needs, request, needs.host.directoryOf(hostOf(request.session)))
  return planned.ok ? planned.value.opening : undefined
}

/** Prepares the session's directory with the agent's prompt and outbox. */
async function prepareDirectory(
  needs: StartNeeds,
  { session, workplace, prompt }: ProgramStart,
): Promise<string> {
  const directory = await needs.host.prepare(hostOf(session))
  if (workplace.program.type === 'command') return directory
  await needs.disk.writeFile(promptFileIn(directory), prompt)
  await needs.disk.makeDirectory(outboxIn(directory))
  return directory
}

type StartedProgram = {
  /** The session as it was read, with the number of the started process. */
  readonly session: Session
  readonly started: HostStarted
  readonly workplace: Pick<Workplace, 'timeMs' | 'projectId'>
  readonly opening: Opening | undefined
}

/** Records that a session's program runs, with its opening input, and starts reading its spools. */
async function recordStart(needs: StartNeeds, program: StartedProgram): Promise<void> {
  const { session, started, workplace } = program
  const { pid, startTime, containment } = started
  const state = nextSessionState(session.state, { type: 'host-start', pid, startTime })
  if (!state.ok) return
  const now = needs.clock.now()
  await needs.store.transact(async (records) => {
    if (session.processNumber === 1) await planOf(session).whenStarted(records)
    await records.sessions.saveProcess(
      {
        ...session,
        state: state.value,
        containment,
        outOffset: 0,
        errOffset: 0,
        conversation: openConversation(needs, program),
        startedAt: now,
        ...(workplace.timeMs === undefined ? {} : { deadline: new Date(now.getTime() + workplace.timeMs) }),
      },
      {
        audit: {
          actor: 'engine',
          action: session.processNumber > 1 ? 'session-resume' : 'session-start',
          subject: session.id,
          detail: { pid, containment, processNumber: session.processNumber },
        },
        events: [programStarted(session, started)],
        follow: workAfter(session, workplace),
      },
    )
  })
  needs.adoptSession(session.id)
}

function workAfter(
  { processNumber, jobId }: Session,
  { projectId }: StartedProgram['workplace'],
): readonly Work[] {
  // A resumed agent has quota again, perhaps also for others that wait for it.
  if (processNumber > 1) return [{ type: 'admission-wake' }]
  return jobId === undefined ? [] : [{ type: 'trees-warm', projectId }]
}

function openConversation(needs: StartNeeds, { session, opening }: StartedProgram): ConversationState {
  const dialogue = needs.providers.get(session.provider)?.dialogue
  if (dialogue === undefined || opening === undefined)
    return { ...NO_CONVERSATION, usage: session.conversation.usage }
  return Conversation.open(dialogue, opening, session.conversation)
}
