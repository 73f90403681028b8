import type { TerminalMessage } from '../../contract/terminal.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { stopSignals } from '../stop-signals.ts'
import type { AttachEnd } from './attach-end.ts'
import { holdPersonTerminal, sizeOf } from './person-terminal.ts'
import { openTerminalLink, type TerminalLink, type TerminalPlace } from './terminal-link.ts'

export type AttachOptions = { readonly readOnly: boolean; readonly take: boolean }

type End = (end: AttachEnd) => void

/** Ctrl-], as in telnet: hardly any program uses it. */
const DETACH_KEY = 0x1d
const INTERRUPT_KEY = 0x03

/** Connects the person's terminal to a session until one of them ends it. The terminal is always restored. */
export async function attachSession(
  needs: CommandNeeds,
  place: TerminalPlace,
  options: AttachOptions,
): Promise<AttachEnd> {
  const held: Disposable[] = []
  let lastScreen: string | undefined
  try {
    return await new Promise<AttachEnd>((resolve) => {
      held.push(endWithProcess(needs, resolve))
      const link = openTerminalLink(place, {
        ...options,
        size: sizeOf(needs.surroundings),
        onData: (bytes) => show(needs, link, bytes),
        onMessage: (message) => {
          if (message.type === 'screen') lastScreen = message.text
          if (message.type !== 'opened') return endBy(message, lastScreen, resolve)
          if (message.readOnly && !options.readOnly) return resolve({ type: 'keyboard-busy' })
          needs.output.note(`attached to ${place.sessionId}; press Ctrl-] to detach`)
          held.push(
            ...takeTerminal(needs, link, place.sessionId),
            passKeys(needs, link, options.readOnly, resolve),
          )
        },
        onClose: (code) => resolve({ type: 'closed', code }),
      })
      held.push(link)
    })
  } finally {
    for (const thing of held.reverse()) thing[Symbol.dispose]()
  }
}

/** A signal, or a closed output, also ends the attachment. */
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

function takeTerminal(needs: CommandNeeds, link: TerminalLink, sessionId: string): readonly Disposable[] {
  const { surroundings } = needs
  const sendSize = () => {
    const size = sizeOf(surroundings)
    if (size !== undefined) link.resize(size)
  }
  const terminal = holdPersonTerminal(surroundings, `${sessionId} - Ctrl-] to detach`)
  sendSize()
  return [terminal, surroundings.onSignal('SIGWINCH', sendSize)]
}

function passKeys(needs: CommandNeeds, link: TerminalLink, readOnly: boolean, end: End): Disposable {
  const { stdin } = needs.surroundings
  const onKeys = (chunk: Uint8Array) => {
    const { typed, isDetach } = readKeys(chunk, readOnly)
    const isAccepted = readOnly || typed.length === 0 || link.type(typed)
    if (isDetach) end({ type: 'detached' })
    if (!isAccepted) end({ type: 'closed', code: 0 })
  }
  const onEnd = () => end({ type: 'interrupted' })
  stdin.on('data', onKeys).once('end', onEnd)
  return { [Symbol.dispose]: () => stdin.off('data', onKeys).off('end', onEnd) }
}

/** Splits off what was typed before the key that detaches. With --read-only, Ctrl-C detaches too. */
export function readKeys(chunk: Uint8Array, readOnly: boolean) {
  const end = chunk.findIndex((byte) => byte === DETACH_KEY || (readOnly && byte === INTERRUPT_KEY))
  if (end < 0) return { typed: chunk, isDetach: false }
  return { typed: chunk.subarray(0, end), isDetach: true }
}

/** Pauses the session's output while the person's terminal is slow, so that nothing piles up in memory. */
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
