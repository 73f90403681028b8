import type { WireSession } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withFound } from '../with-daemon.ts'
import { cancelJob } from './cancel.ts'

export type StopFlags = { readonly reason?: string }

/** Ends a session, or a job. */
export async function stopCommand(needs: CommandNeeds, text: string, flags: StopFlags): Promise<Outcome> {
  return stop(needs, text, flags, false)
}

/** The same at once, without asking the program first. */
export async function killCommand(needs: CommandNeeds, text: string, flags: StopFlags): Promise<Outcome> {
  return stop(needs, text, flags, true)
}

function stop(needs: CommandNeeds, text: string, flags: StopFlags, force: boolean): Promise<Outcome> {
  return withFound(needs, text, ['session', 'job'], (client, { kind, id }) => {
    if (kind === 'job') return cancelJob(needs, client, id, flags)
    return withAnswer(client.stopSession(id, { reason: flags.reason, force }), (session) => {
      needs.output.value({ success: true, data: session })
      needs.output.print(stoppedWords(session))
      return success(EXIT.done)
    })
  })
}

function stoppedWords({ id, status, purpose }: WireSession): string {
  const what = status === 'terminated' ? 'is over' : 'is being stopped'
  const kept =
    purpose.type === 'personal'
      ? `; what it changed, if anything, is kept on branch ${safeLine(purpose.branch)}`
      : ''
  return `${id} ${what}${kept}`
}
