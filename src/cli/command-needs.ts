import type { GlobalOptions } from './global-options.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './surroundings.ts'

/** What every command is given. */
export type CommandNeeds = {
  readonly surroundings: Surroundings
  readonly output: Output
  readonly options: GlobalOptions
  /** Muster's own home, as the flags and the environment say. */
  readonly home: string
}
