import type { Command } from 'commander'
import type { CommandName } from './command-help.ts'
import type { CommandNeeds } from './command-needs.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Outcome } from './problem.ts'

/** Adds a command with its description and examples to the tree. */
export type Declare = (name: CommandName, description: string) => Command

export type Handler = (needs: CommandNeeds) => Promise<Outcome>

/** Runs the handler of a command that was parsed. */
export type Start = (command: Command, handler: Handler) => Promise<void>

/** Runs a handler with everything it needs. The command tree only declares which handler that is. */
export type Perform = (options: GlobalOptions, handler: Handler) => Promise<void>
