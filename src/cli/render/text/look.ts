import type { CommandNeeds } from '../../command-needs.ts'
import type { Hint } from '../../hint.ts'
import type { Paint } from './paint.ts'

/** How things are shown to the person: in which colours, and with commands that can be pasted. */
export type Look = {
  readonly paint: Paint
  readonly hint: Hint
  /** The home, when it is on this machine for certain. */
  readonly home?: string
  /** How wide the terminal is; absent where lines go into a pipe. */
  readonly columns?: number
}

export function lookOf(needs: Pick<CommandNeeds, 'output' | 'options' | 'home' | 'surroundings'>): Look {
  const { paint, hint } = needs.output
  const { columns } = needs.surroundings.stdout
  return {
    paint,
    hint,
    ...(needs.options.server === undefined ? { home: needs.home } : {}),
    ...(columns === undefined ? {} : { columns }),
  }
}
