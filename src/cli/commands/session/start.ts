import type { WireOpenSessionRequest, WireSession } from '../../../client/index.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { CommandNeeds } from '../../command-needs.ts'
import type { DaemonLink } from '../../daemon/daemon-link.ts'
import { EXIT } from '../../exit-code.ts'
import { followTurn } from '../../follow/follow-turn.ts'
import { untilStarted } from '../../follow/until-started.ts'
import type { Outcome, Problem } from '../../problem.ts'
import { sessionActs } from '../../render/session/session-details.ts'
import { sessionStateWords } from '../../render/session/session-words.ts'
import { lookOf } from '../../render/text/look.ts'
import { safeLine } from '../../render/text/safe-text.ts'
import { findRepository } from '../../repository/find-repository.ts'
import { noRepository } from '../../repository/no-repository.ts'
import { readGoal } from '../../repository/read-goal.ts'
import { withAnswer, withDaemon } from '../../with-daemon.ts'

export type SessionStartFlags = {
  readonly agent?: string
  readonly role?: string
  readonly base?: string
  readonly interactive?: true
  readonly detach?: true
}

/** Opens a session of one's own on the repository one is in, and stays with it until it has answered. */
export async function sessionStartCommand(
  needs: CommandNeeds,
  prompt: string | undefined,
  flags: SessionStartFlags,
): Promise<Outcome> {
  const request = await openRequest(needs, prompt, flags)
  if (!request.ok) return request
  return withDaemon(needs, (client, link) =>
    withAnswer(client.openSession(request.value), (session) => {
      const isLeft = flags.detach === true || (flags.interactive === true && !needs.output.isTerminal)
      announce(needs, session, isLeft)
      if (isLeft) return success(EXIT.done)
      return flags.interactive === true ? sitDown(needs, link, session) : stayWith(needs, link, session)
    }),
  )
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
  if (given === undefined && !isInteractive) return failure(nothingToDo())
  const prompt = given === undefined ? success('') : await readGoal(surroundings, given)
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

function announce(needs: CommandNeeds, session: WireSession, isLeft: boolean): void {
  const { output } = needs
  if (isLeft) output.value({ success: true, data: session })
  const branch = session.purpose.type === 'personal' ? ` on branch ${safeLine(session.purpose.branch)}` : ''
  const line = `${output.paint('strong', session.id)} ${safeLine(session.agent)}${branch}`
  if (isLeft) output.print(line)
  else output.note(line)
  if (!isLeft) return
  if (session.mode === 'interactive')
    output.note(`sit down at it:  ${output.hint(`muster attach ${session.id}`)}`)
  else output.note(`listen to it:  ${output.hint(`muster logs ${session.id} -f`)}`)
}

/** A terminal can be sat down at once its program runs. */
async function sitDown(needs: CommandNeeds, link: DaemonLink, session: WireSession): Promise<Outcome> {
  const started = await untilStarted(needs, link, session.id)
  if (!started.ok) return started
  if (started.value !== 'running') return conclude(needs, link, session.id)
  const { attachCommand } = await import('../attach.ts')
  return attachCommand(needs, session.id, {})
}

async function stayWith(needs: CommandNeeds, link: DaemonLink, session: WireSession): Promise<Outcome> {
  const followed = await followTurn({ ...needs, link }, session.id)
  if (!followed.ok || followed.value === EXIT.interrupted) {
    needs.output.note(
      `${session.id} goes on without you: ${needs.output.hint(`muster logs ${session.id} -f`)}`,
    )
    return followed
  }
  return conclude(needs, link, session.id)
}

/** How it stands now, and what can be done with it. */
async function conclude(needs: CommandNeeds, link: DaemonLink, sessionId: string): Promise<Outcome> {
  const { output, surroundings } = needs
  return withAnswer(link.client.getSession(sessionId), (session) => {
    const isFine = session.turn?.type === 'done' || session.ending === 'done'
    output.value({ success: isFine, data: session })
    const alone = session.suspended?.why === 'limited' ? '; goes on by itself' : ''
    output.note(`${session.id}: ${sessionStateWords(session, surroundings.now())}${alone}`)
    for (const [what, command] of sessionActs(session, lookOf(needs))) {
      output.note(`  ${`${what}:`.padEnd(14)} ${command}`)
    }
    return success(isFine ? EXIT.done : EXIT.failed)
  })
}

function nothingToDo(): Problem {
  return {
    type: 'prompt-missing',
    exitCode: EXIT.usage,
    message: 'say what the session is to do',
    why: 'only a session with a terminal can be told later',
    next: 'muster session start "look at the failing test", or: muster session start --interactive',
  }
}
