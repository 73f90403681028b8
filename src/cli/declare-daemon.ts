import { Argument, type Command } from 'commander'
import type { ServeFlags } from './commands/serve.ts'
import { SHELLS, type Shell } from './completion/shell-scripts.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

/** The commands that start and stop the daemon, and set up the shell. */
export function declareDaemon(declare: Declare, start: Start): void {
  declare('serve', 'run the daemon in the foreground')
    .option(
      '--port <n>',
      'port to listen on (default: the last one used, or any free port)',
      countFlag(65_535),
    )
    .option('--adopt-database', 'take over the database of another home, or give this home another database')
    .option('--background', 'print nothing; other commands use this to start the daemon')
    .action((flags: ServeFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/serve.ts')).serveCommand(needs, flags)),
    )
  declare('shutdown', 'stop the daemon; running agents continue, and the next daemon picks them up').action(
    (_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/shutdown.ts')).shutdownCommand(needs)),
  )
  declare('completion', 'print a script that completes commands, IDs and names in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/completion.ts')).completionCommand(needs, shell),
      ),
    )
}
