import { join, resolve } from 'node:path'
import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readToken } from '../../home/daemon-file.ts'
import { type AttachEnd, concludeAttach } from '../attach/attach-end.ts'
import { attachSession } from '../attach/attach-session.ts'
import { openTerminalLink, type TerminalPlace } from '../attach/terminal-link.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { onlyTerminal } from '../open-records.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeText } from '../render/text/safe-text.ts'
import { findTerminal } from '../role/find-terminal.ts'
import { withDaemon } from '../with-daemon.ts'

export type AttachFlags = { readonly run?: string; readonly readOnly?: true; readonly take?: true }

const ANSWER_TIMEOUT_MS = 15_000

/** Attaches to the terminal of a session, or of a role's current session. If the output is not a terminal, --read-only prints the screen once. */
export async function attachCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: AttachFlags,
): Promise<Outcome> {
  const readOnly = flags.readOnly === true
  if (!needs.output.isTerminal && !readOnly) return failure(noTerminal(text))
  const attach = async (client: MusterClient, id: string) => {
    const place = { url: client.url, token: await findToken(needs), sessionId: id }
    if (!needs.output.isTerminal) return printScreen(needs, place)
    const end = await attachSession(needs, place, { readOnly, take: flags.take === true })
    return concludeAttach(needs, id, end)
  }
  return withDaemon(needs, async (client) => {
    const session =
      text === undefined ? await onlyTerminal(client) : await findTerminal(needs, client, text, flags.run)
    return session.ok ? attach(client, session.value) : session
  })
}

async function printScreen(needs: CommandNeeds, place: TerminalPlace): Promise<Outcome> {
  const screen = await readScreen(place)
  if (!screen.ok) return concludeAttach(needs, place.sessionId, screen.failure)
  const text = safeText(screen.value)
  return printResult(needs, { sessionId: place.sessionId, screen: text }, [text.replace(/\n+$/, '')])
}

/** Reads the visible screen of a session as plain text. */
async function readScreen(place: TerminalPlace): Promise<Result<string, AttachEnd>> {
  const held: Disposable[] = []
  try {
    return await new Promise<Result<string, AttachEnd>>((resolve) => {
      const timer = setTimeout(() => resolve(failure({ type: 'closed', code: 0 })), ANSWER_TIMEOUT_MS)
      held.push({ [Symbol.dispose]: () => clearTimeout(timer) })
      const link = openTerminalLink(place, {
        size: undefined,
        readOnly: true,
        take: false,
        // Only the screen is wanted, not what the program draws meanwhile.
        onData: () => {},
        onMessage: (message) => {
          if (message.type === 'opened') link.askForScreen()
          // A session that has ended sends its last screen first.
          if (message.type === 'screen') resolve(success(message.text))
          if (message.type === 'ended') resolve(failure({ type: 'session-end', end: message.end }))
          if (message.type === 'refused') resolve(failure(message))
        },
        onClose: (code) => resolve(failure({ type: 'closed', code })),
      })
      held.push(link)
    })
  } finally {
    for (const thing of held) thing[Symbol.dispose]()
  }
}

/** The WebSocket has to authenticate separately, with the same token. */
async function findToken({ options, surroundings, home }: CommandNeeds): Promise<string> {
  const named = options.server === undefined ? undefined : options.tokenFile
  const path = named === undefined ? join(home, 'token') : resolve(surroundings.cwd, named)
  return (await readToken(path)) ?? ''
}

function noTerminal(text = '<session>'): Problem {
  return {
    type: 'no-terminal',
    exitCode: EXIT.usage,
    message: 'attach needs a terminal',
    why: 'standard input and output are not a terminal; --read-only prints the screen once',
    next: `muster attach ${text} --read-only`,
  }
}
