import { join, resolve } from 'node:path'
import { failure, success } from '../../domain/result.ts'
import { concludeAttach } from '../attach/attach-end.ts'
import { attachSession } from '../attach/attach-session.ts'
import { readScreen } from '../attach/read-screen.ts'
import type { TerminalPlace } from '../attach/terminal-link.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { readToken } from '../daemon/daemon-file.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeText } from '../render/text/safe-text.ts'
import { withFound } from '../with-daemon.ts'

export type AttachFlags = { readonly readOnly?: true; readonly take?: true }

/** Sits the person down at a session's own terminal, or shows its screen once where there is no terminal. */
export async function attachCommand(needs: CommandNeeds, text: string, flags: AttachFlags): Promise<Outcome> {
  const readOnly = flags.readOnly === true
  if (!needs.output.isTerminal && !readOnly) return failure(noTerminal(text))
  return withFound(needs, text, ['session'], async (client, { id }) => {
    const place = { url: client.url, token: await findToken(needs), sessionId: id }
    if (!needs.output.isTerminal) return printScreen(needs, place)
    const end = await attachSession(needs, place, { readOnly, take: flags.take === true })
    return concludeAttach(needs, id, end)
  })
}

async function printScreen(needs: CommandNeeds, place: TerminalPlace): Promise<Outcome> {
  const screen = await readScreen(place)
  if (!screen.ok) return concludeAttach(needs, place.sessionId, screen.failure)
  const text = safeText(screen.value)
  needs.output.value({ success: true, data: { sessionId: place.sessionId, screen: text } })
  needs.output.print(text.replace(/\n+$/, ''))
  return success(EXIT.done)
}

/** Whoever reached the daemon had it; a WebSocket has to show it again. */
async function findToken({ options, surroundings, home }: CommandNeeds): Promise<string> {
  const named = options.server === undefined ? undefined : options.tokenFile
  const path = named === undefined ? join(home, 'token') : resolve(surroundings.cwd, named)
  return (await readToken(path)) ?? ''
}

function noTerminal(text: string): Problem {
  return {
    type: 'no-terminal',
    exitCode: EXIT.usage,
    message: 'there is no terminal here to attach with',
    why: 'standard input and output must be one; without it the screen can only be printed once',
    next: `muster attach ${text} --read-only`,
  }
}
