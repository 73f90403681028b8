import type { Command } from 'commander'

/** The flags of the commands that follow a job. Without them, the person's configuration decides. */
export function declareNotify(command: Command): Command {
  return command
    .option('--notify', 'show a desktop notification when something waits for you')
    .option('--no-notify', 'show no notifications, even if your configuration turns them on')
}
