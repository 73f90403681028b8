import type { CommandNeeds } from './command-needs.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Outcome } from './problem.ts'

export type Handler = (needs: CommandNeeds) => Promise<Outcome>

/** Runs a command's handler with what it needs; the tree only declares which handler that is. */
export type Perform = (options: GlobalOptions, handler: Handler) => Promise<void>
