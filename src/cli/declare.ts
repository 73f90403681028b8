import type { Command } from 'commander'
import type { CommandName } from './command-help.ts'
import type { Handler } from './perform.ts'

/** Adds a command with its description and examples to the tree. */
export type Declare = (name: CommandName, description: string) => Command

/** Hands a handler and the flags every command takes to whoever runs commands. */
export type Start = (command: Command, handler: Handler) => Promise<void>
