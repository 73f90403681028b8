import { failure, type Result, success } from '../../domain/result.ts'
import type { AttachEnd } from './attach-end.ts'
import { openTerminalLink, type TerminalPlace } from './terminal-link.ts'

const ANSWER_TIMEOUT_MS = 15_000

/** The visible screen of a session, once, as plain text. */
export async function readScreen(place: TerminalPlace): Promise<Result<string, AttachEnd>> {
  const held: Disposable[] = []
  try {
    return await new Promise<Result<string, AttachEnd>>((resolve) => {
      const timer = setTimeout(() => resolve(failure({ type: 'closed', code: 0 })), ANSWER_TIMEOUT_MS)
      held.push({ [Symbol.dispose]: () => clearTimeout(timer) })
      const link = openTerminalLink(place, {
        size: undefined,
        readOnly: true,
        take: false,
        // What is drawn meanwhile is not asked for.
        onData: () => {},
        onMessage: (message) => {
          if (message.type === 'opened') link.askForScreen()
          // One that ended shows its last screen and has no other.
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
