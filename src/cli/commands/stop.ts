import type { WireSession } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withFound } from '../with-daemon.ts'
import { cancelJob } from './cancel.ts'

export type StopFlags = { readonly reason?: string }

/** Ends a session, or cancels a job. */
export async function stopCommand(needs: CommandNeeds, text: string, flags: StopFlags): Promise<Outcome> {
  return stop(needs, text, flags, false)
}

/** Ends a session at once, without asking its program to exit, or cancels a job. */
export async function killCommand(needs: CommandNeeds, text: string, flags: StopFlags): Promise<Outcome> {
  return stop(needs, text, flags, true)
}

function stop(needs: CommandNeeds, text: string, flags: StopFlags, force: boolean): Promise<Outcome> {
  return withFound(needs, text, ['session', 'job'], (client, { kind, id }) => {
    if (kind === 'job') return cancelJob(needs, client, id, flags)
    return withAnswer(client.stopSession(id, { reason: flags.reason, force }), (session) =>
      printResult(needs, session, [stoppedWords(session)]),
    )
  })
}

function stoppedWords({ id, status, purpose }: WireSession): string {
  const what = status === 'terminated' ? 'has ended' : 'is stopping'
  const kept =
    purpose.type === 'personal' ? `; its changes, if any, are on branch ${safeLine(purpose.branch)}` : ''
  return `${id} ${what}${kept}`
}
