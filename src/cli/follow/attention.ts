import type { CommandNeeds } from '../command-needs.ts'

const ESCAPE = '\u001b'
const BELL = '\u0007'

/** Draws attention to a terminal in which something waits. Disposing it restores the window's title. */
export interface Attention extends Disposable {
  /** Sets the title to how much waits, and rings if it is more than before. */
  show(waiting: number): void
}

/**
 * Uses the bell and the title only on a terminal, and the bell only without `MUSTER_BELL=0`. `known` is how much the
 * person has heard of already.
 */
export function openAttention(
  { output, surroundings }: Pick<CommandNeeds, 'output' | 'surroundings'>,
  known = 0,
): Attention {
  if (!output.isTerminal || output.quiet) return { show: () => {}, [Symbol.dispose]: () => {} }
  const isSilent = surroundings.environment['MUSTER_BELL'] === '0'
  let shown = 0
  let rung = known
  const show = (waiting: number) => {
    const bell = waiting > rung && !isSilent ? BELL : ''
    rung = waiting
    if (waiting === shown) return
    // The terminal keeps the title that it had before, and restores it on request.
    const saved = shown === 0 ? `${ESCAPE}[22;2t` : ''
    const title =
      waiting === 0 ? `${ESCAPE}[23;2t` : `${saved}${ESCAPE}]2;muster: ${waiting} waiting for you${BELL}`
    surroundings.stdout.write(`${title}${bell}`)
    shown = waiting
  }
  show(known)
  return {
    show,
    [Symbol.dispose]: () => {
      if (shown > 0) surroundings.stdout.write(`${ESCAPE}[23;2t`)
      shown = 0
    },
  }
}
