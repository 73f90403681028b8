import type { GlobalOptions } from './global-options.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './surroundings.ts'

/** What every command handler gets. */
export type CommandNeeds = {
  readonly surroundings: Surroundings
  readonly output: Output
  readonly options: GlobalOptions
  /** Muster's home, from the flags and the environment. */
  readonly home: string
}
