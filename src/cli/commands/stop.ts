import type { WireSession } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { nameToEnd } from '../open-records.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { type Display, displayOf } from '../render/text/display.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withChanged, withDaemon } from '../with-daemon.ts'
import { cancelJob } from './cancel.ts'

export type StopFlags = { readonly reason?: string }

/** Ends a session, or cancels a job. */
export async function stopCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
): Promise<Outcome> {
  return stop(needs, text, flags, 'stop')
}

/** Ends a session at once, without asking its program to exit, or cancels a job. */
export async function killCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
): Promise<Outcome> {
  return stop(needs, text, flags, 'kill')
}

function stop(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
  command: 'stop' | 'kill',
): Promise<Outcome> {
  if (text === undefined)
    return withDaemon(needs, async (client) => failure(await nameToEnd(client, command)))
  return withChanged(needs, text, ['session', 'job'], (client, { kind, id }) => {
    if (kind === 'job') return cancelJob(needs, client, id, flags)
    return withAnswer(
      client.stopSession(id, { reason: flags.reason, force: command === 'kill' }),
      (session) => printResult(needs, session, stoppedLines(session, displayOf(needs))),
    )
  })
}

function stoppedLines(
  { id, status, purpose }: WireSession,
  { hint }: Pick<Display, 'hint'>,
): readonly string[] {
  const what = `${id} ${status === 'terminated' ? 'has ended' : 'is stopping'}`
  if (purpose.type !== 'personal') return [what]
  // They are delivered after the program has exited, and that can fail.
  return [
    `${what}; its changes, if any, go to branch ${safeLine(purpose.branch)}`,
    `see whether they got there: ${hint(`muster show ${id}`)}`,
  ]
}
