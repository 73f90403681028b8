import {
  FollowError,
  type MusterClient,
  type WireOpenSessionRequest,
  type WireSession,
} from '../../../client/index.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { apiProblem } from '../../api-problem.ts'
import type { CommandNeeds } from '../../command-needs.ts'
import type { DaemonLink } from '../../daemon/daemon-link.ts'
import { withheldProviders } from '../../daemon/withheld-providers.ts'
import { EXIT } from '../../exit-code.ts'
import { followTurn } from '../../follow/follow-turn.ts'
import { guardStart } from '../../follow/guard-start.ts'
import { sessionEvents } from '../../follow/resilient-events.ts'
import type { Outcome, Problem } from '../../problem.ts'
import { readInstructions } from '../../read-text.ts'
import { agentLine } from '../../render/job/agent-line.ts'
import { sessionActs } from '../../render/session/session-details.ts'
import { sessionStateWords } from '../../render/session/session-words.ts'
import { displayOf } from '../../render/text/display.ts'
import { safeLine } from '../../render/text/safe-text.ts'
import { findRepository } from '../../repository/find-repository.ts'
import { noRepository } from '../../repository/no-repository.ts'
import { stopSignals } from '../../stop-signals.ts'
import { withTrust } from '../../trust/with-trust.ts'
import { withAnswer, withDaemon } from '../../with-daemon.ts'

export type SessionStartFlags = {
  readonly agent?: string
  readonly role?: string
  readonly base?: string
  readonly interactive?: true
  readonly detach?: true
}

/** Opens a personal session in the current repository and follows it until the agent has answered. */
export async function sessionStartCommand(
  needs: CommandNeeds,
  prompt: string | undefined,
  flags: SessionStartFlags,
): Promise<Outcome> {
  const request = await openRequest(needs, prompt, flags)
  if (!request.ok) return request
  return withDaemon(needs, async (client, link) => {
    const complete = { ...request.value, ...(await withheldProviders(needs, client, flags.agent)) }
    const opened = await open(needs, client, complete)
    if (!opened.ok) return opened
    const { session, isInterrupted } = opened.value
    const isAlone = flags.interactive === true && !needs.output.isTerminal
    const isDetached = flags.detach === true || isAlone || isInterrupted
    announce(needs, session, isDetached)
    if (isDetached) return success(isInterrupted ? EXIT.interrupted : EXIT.done)
    return flags.interactive === true ? attach(needs, link, session) : follow(needs, link, session)
  })
}

async function open(
  needs: CommandNeeds,
  client: MusterClient,
  request: WireOpenSessionRequest,
): Promise<Result<{ readonly session: WireSession; readonly isInterrupted: boolean }, Problem>> {
  using guard = guardStart(needs, 'session')
  const start = () => client.openSession(request)
  const opened = await guard.answer(withTrust(needs, client, request.repositoryPath, start, guard))
  if (!opened.ok) return opened
  const isInterrupted = guard.interrupted.aborted || guard.ending.aborted
  return success({ session: opened.value, isInterrupted })
}

async function openRequest(
  needs: CommandNeeds,
  given: string | undefined,
  flags: SessionStartFlags,
): Promise<Result<WireOpenSessionRequest, Problem>> {
  const { surroundings } = needs
  const repositoryPath = await findRepository(surroundings.cwd)
  if (repositoryPath === undefined) return failure(noRepository(surroundings.cwd))
  const isInteractive = flags.interactive === true
  if (given === undefined && !isInteractive) return failure(noPrompt())
  const prompt =
    given === undefined
      ? success('')
      : await readInstructions(surroundings, given, { noun: 'prompt', command: 'muster session start' })
  if (!prompt.ok) return prompt
  return success({
    repositoryPath,
    prompt: prompt.value,
    mode: isInteractive ? 'interactive' : 'headless',
    agent: flags.agent,
    role: flags.role,
    baseBranch: flags.base,
  })
}

function announce(needs: CommandNeeds, session: WireSession, isDetached: boolean): void {
  const { output } = needs
  if (isDetached) output.value({ success: true, data: session })
  const branch = session.purpose.type === 'personal' ? ` on branch ${safeLine(session.purpose.branch)}` : ''
  const line = `${output.paint('strong', session.id)} ${safeLine(session.agent)}${branch}`
  const show = isDetached ? output.print : output.note
  show(line)
  notePassedOver(needs, session)
  if (!isDetached) return
  if (session.mode === 'interactive')
    output.note(`attach to it: ${output.hint(`muster attach ${session.id}`)}`)
  else output.note(`follow it: ${output.hint(`muster logs ${session.id} -f`)}`)
}

/** The person may have expected another agent. */
function notePassedOver({ output }: CommandNeeds, { agent, purpose }: WireSession): void {
  if (output.json || purpose.type !== 'personal' || purpose.passedOver === undefined) return
  output.note(agentLine({ worker: agent, planner: agent, passedOver: purpose.passedOver }, output.hint))
}

/** Attaches to the session's terminal as soon as its program runs. */
async function attach(needs: CommandNeeds, link: DaemonLink, session: WireSession): Promise<Outcome> {
  const started = await untilStarted(needs, link, session.id)
  if (!started.ok) return started
  if (started.value !== 'running') return conclude(needs, link, session.id)
  const { attachCommand } = await import('../attach.ts')
  return attachCommand(needs, session.id, {})
}

/** Waits until a session's program runs. `ended`: it never ran or has exited, or the person left. */
async function untilStarted(
  needs: CommandNeeds,
  link: DaemonLink,
  sessionId: string,
): Promise<Result<'running' | 'ended', Problem>> {
  using stop = stopSignals(needs.surroundings)
  const signal = AbortSignal.any([stop.signal, needs.output.closed])
  const events = sessionEvents({ link, say: needs.output.note }, sessionId, signal)
  try {
    for await (const event of events) {
      // Without a process, the session has ended before its program could be started.
      if (event.type === 'session_started' && event.data.pid !== undefined) return success('running')
      // What the program said before it failed.
      if (event.type === 'agent_message' && event.data.type === 'error-output')
        needs.output.print(safeLine(event.data.text))
    }
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    return failure(apiProblem(error.error))
  }
  const problem = link.problem()
  return problem === undefined ? success('ended') : failure(problem)
}

async function follow(needs: CommandNeeds, link: DaemonLink, session: WireSession): Promise<Outcome> {
  const followed = await followTurn({ ...needs, link }, session.id)
  if (!followed.ok || followed.value === EXIT.interrupted) {
    needs.output.note(
      `${session.id} continues in the background; follow it with: ${needs.output.hint(`muster logs ${session.id} -f`)}`,
    )
    return followed
  }
  return conclude(needs, link, session.id)
}

/** Prints the state of the session and what the person can do next. */
async function conclude(needs: CommandNeeds, link: DaemonLink, sessionId: string): Promise<Outcome> {
  const { output, surroundings } = needs
  return withAnswer(link.client.getSession(sessionId), (session) => {
    const isFine = session.turn?.type === 'done' || session.ending === 'done'
    output.value({ success: isFine, data: session })
    const resumes = session.suspended?.why === 'limited' ? '; resumes automatically' : ''
    output.note(`${session.id}: ${sessionStateWords(session, surroundings.now())}${resumes}`)
    for (const [what, command] of sessionActs(session, displayOf(needs))) {
      output.note(`  ${`${what}:`.padEnd(14)} ${command}`)
    }
    return success(isFine ? EXIT.done : EXIT.failed)
  })
}

function noPrompt(): Problem {
  return {
    type: 'prompt-missing',
    exitCode: EXIT.usage,
    message: 'the session needs a prompt',
    why: 'only an interactive session can start without one',
    next: 'muster session start "look at the failing test", or: muster session start --interactive',
  }
}
