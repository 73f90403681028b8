import type { WireSessionEnd } from '../../client/index.ts'
import type { FailureBody } from '../../contract/envelope.ts'
import { TERMINAL_CLOSE } from '../../contract/terminal.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { sessionEndWords } from '../render/session/session-words.ts'
import { safeLine, safeText } from '../render/text/safe-text.ts'

/** Why a person is no longer attached. */
export type AttachEnd =
  | { readonly type: 'detached' }
  | { readonly type: 'interrupted' }
  /** With the last screen, if it was kept. */
  | { readonly type: 'session-end'; readonly end: WireSessionEnd; readonly screen?: string }
  | { readonly type: 'refused'; readonly error: FailureBody['error'] }
  /** Someone else has the keyboard and keeps it. */
  | { readonly type: 'keyboard-busy' }
  | { readonly type: 'closed'; readonly code: number }

/** Prints why the person is detached, and returns the command's outcome. */
export function concludeAttach(needs: CommandNeeds, sessionId: string, end: AttachEnd): Outcome {
  const { output } = needs
  switch (end.type) {
    case 'detached':
      output.note(
        `detached; ${sessionId} keeps running. Attach again with: ${output.hint(`muster attach ${sessionId}`)}`,
      )
      return success(EXIT.done)
    case 'interrupted':
      return success(EXIT.interrupted)
    case 'session-end':
      if (end.screen !== undefined) output.print(safeText(end.screen).trimEnd())
      output.note(`${sessionId} ${attachEndWords(end.end)}`)
      if (isGoodEnd(end.end)) return success(EXIT.done)
      output.note(`  see its last lines: ${output.hint(`muster logs ${sessionId}`)}`)
      return success(EXIT.failed)
    case 'refused':
      return failure(refusal(sessionId, end))
    case 'keyboard-busy':
      return failure(keyboardBusy(sessionId))
    case 'closed':
      return failure(closing(sessionId, end.code))
    default:
      return assertNever(end)
  }
}

function isGoodEnd(end: WireSessionEnd): boolean {
  if (end.type === 'finished') return end.turn.type === 'done'
  return end.type === 'exited' && end.code === 0
}

function attachEndWords(end: WireSessionEnd): string {
  const words = sessionEndWords(end)
  return words === 'ended normally' ? words : `has ended: ${words}`
}

function refusal(sessionId: string, end: Extract<AttachEnd, { readonly type: 'refused' }>): Problem {
  const { type, message } = end.error
  if (type !== 'not-found')
    return { type, exitCode: EXIT.failed, message: safeLine(message), next: 'muster doctor' }
  return {
    type: 'terminal-absent',
    exitCode: EXIT.usage,
    message: `${sessionId} has no terminal to attach to`,
    why: 'there is no such session, or it runs without a terminal',
    next: `muster logs ${sessionId} -f`,
  }
}

function keyboardBusy(sessionId: string): Problem {
  return {
    type: 'keyboard-busy',
    exitCode: EXIT.conflict,
    message: `someone else has the keyboard of ${sessionId}`,
    why: 'only one person can type at a time; use --read-only to watch, or --take to take the keyboard',
    next: `muster attach ${sessionId} --read-only`,
  }
}

function closing(sessionId: string, code: number): Problem {
  const next = `muster attach ${sessionId}`
  if (code === TERMINAL_CLOSE.keyboardTaken) {
    return {
      type: 'keyboard-taken',
      exitCode: EXIT.conflict,
      message: `someone else took the keyboard of ${sessionId}`,
      next: `${next} --read-only`,
    }
  }
  const why =
    code === TERMINAL_CLOSE.daemonStops ? 'the daemon is stopping' : 'the connection was lost or refused'
  const message = 'the daemon cannot be reached'
  return { type: 'daemon-lost', exitCode: EXIT.unreachable, message, why, next }
}
