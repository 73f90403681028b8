import type { CommandNeeds } from '../../command-needs.ts'
import type { Hint } from '../../hint.ts'
import type { Paint } from './paint.ts'

/** How output is shown to the person: its colours, its width, and commands that can be pasted. */
export type Display = {
  readonly paint: Paint
  readonly hint: Hint
  /** An id as short as it may be. */
  readonly shortId: (id: string) => string
  /** The home, if it is certainly on this machine. */
  readonly home?: string
  /** The width of the terminal; absent if the output is a pipe. */
  readonly columns?: number
}

export function displayOf(
  needs: Pick<CommandNeeds, 'output' | 'options' | 'home' | 'surroundings'>,
): Display {
  const { paint, hint, ids } = needs.output
  const { columns } = needs.surroundings.stdout
  return {
    paint,
    hint,
    shortId: ids.of,
    ...(needs.options.server === undefined ? { home: needs.home } : {}),
    ...(columns === undefined ? {} : { columns }),
  }
}
