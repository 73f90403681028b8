import type { TerminalMessage } from '../../contract/terminal.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { stopSignals } from '../stop-signals.ts'
import type { AttachEnd } from './attach-end.ts'
import { holdPersonTerminal, sizeOf } from './person-terminal.ts'
import { openTerminalLink, type TerminalLink, type TerminalPlace } from './terminal-link.ts'
import { readKeys } from './typed-keys.ts'

export type AttachWish = { readonly readOnly: boolean; readonly take: boolean }

type End = (end: AttachEnd) => void

/** Gives the person's terminal to a session until either has enough. The terminal is always given back. */
export async function attachSession(
  needs: CommandNeeds,
  place: TerminalPlace,
  wish: AttachWish,
): Promise<AttachEnd> {
  const held: Disposable[] = []
  let lastScreen: string | undefined
  try {
    return await new Promise<AttachEnd>((resolve) => {
      held.push(endWithProcess(needs, resolve))
      const link = openTerminalLink(place, {
        ...wish,
        size: sizeOf(needs.surroundings),
        onData: (bytes) => show(needs, link, bytes),
        onMessage: (message) => {
          if (message.type === 'screen') lastScreen = message.text
          if (message.type !== 'opened') return endBy(message, lastScreen, resolve)
          if (message.readOnly && !wish.readOnly) return resolve({ type: 'keyboard-busy' })
          needs.output.note(`attached to ${place.sessionId}; Ctrl-] detaches`)
          held.push(...sitDown(needs, link, place.sessionId), passKeys(needs, link, wish.readOnly, resolve))
        },
        onClose: (code) => resolve({ type: 'closed', code }),
      })
      held.push(link)
    })
  } finally {
    for (const thing of held.reverse()) thing[Symbol.dispose]()
  }
}

/** A signal, or nobody there to see anything, is an end too. */
function endWithProcess(needs: CommandNeeds, end: End): Disposable {
  const stop = stopSignals(needs.surroundings)
  const listening = new AbortController()
  const interrupt = () => end({ type: 'interrupted' })
  for (const signal of [stop.signal, needs.output.closed]) {
    signal.addEventListener('abort', interrupt, { signal: listening.signal })
  }
  return {
    [Symbol.dispose]: () => {
      listening.abort()
      stop[Symbol.dispose]()
    },
  }
}

function sitDown(needs: CommandNeeds, link: TerminalLink, sessionId: string): readonly Disposable[] {
  const { surroundings } = needs
  const tellSize = () => {
    const size = sizeOf(surroundings)
    if (size !== undefined) link.resize(size)
  }
  const terminal = holdPersonTerminal(surroundings, `${sessionId} - Ctrl-] detaches`)
  tellSize()
  return [terminal, surroundings.onSignal('SIGWINCH', tellSize)]
}

function passKeys(needs: CommandNeeds, link: TerminalLink, readOnly: boolean, end: End): Disposable {
  const { stdin } = needs.surroundings
  const onKeys = (chunk: Uint8Array) => {
    const { typed, isDetach } = readKeys(chunk, readOnly)
    const isTaken = readOnly || typed.length === 0 || link.type(typed)
    if (isDetach) end({ type: 'detached' })
    if (!isTaken) end({ type: 'closed', code: 0 })
  }
  const onEnd = () => end({ type: 'interrupted' })
  stdin.on('data', onKeys).once('end', onEnd)
  return { [Symbol.dispose]: () => stdin.off('data', onKeys).off('end', onEnd) }
}

/** Asks for silence while the person's terminal is behind, so that nothing heaps up here. */
function show(needs: CommandNeeds, link: TerminalLink, bytes: Uint8Array): void {
  const { stdout } = needs.surroundings
  if (needs.output.closed.aborted || stdout.write(bytes)) return
  if (stdout.listenerCount('drain', link.resume) > 0) return
  link.pause()
  stdout.once('drain', link.resume)
}

function endBy(message: TerminalMessage, screen: string | undefined, end: End): void {
  if (message.type === 'ended') {
    end({ type: 'session-end', end: message.end, ...(screen === undefined ? {} : { screen }) })
  }
  if (message.type === 'refused') end(message)
}
