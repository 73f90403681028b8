import type { Command } from 'commander'
import type { AuditTailFlags } from './commands/audit.ts'
import type { BackupFlags } from './commands/backup.ts'
import type { RestoreFlags } from './commands/restore.ts'
import type { Declare, Start } from './declare.ts'
import { declareCleanup } from './declare-cleanup.ts'
import { countFlag } from './parse/flag-parsers.ts'

/** The commands about the daemon's records: backups, the audit log, and what is old. */
export function declareRecords(declare: Declare, start: Start): void {
  declareCleanup(declare, start)
  declare('backup', 'copy all records and repositories into one file; agents keep working')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace the file if it exists')
    .action((file: string, flags: BackupFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/backup.ts')).backupCommand(needs, file, flags),
      ),
    )
  declare('restore', 'restore a home from a backup; no daemon may be running in that home')
    .argument('<file>', 'the backup')
    .option('--force', 'if the home is not empty, move it aside first')
    .action((file: string, flags: RestoreFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/restore.ts')).restoreCommand(needs, file, flags),
      ),
    )
  const audit = declare('audit', 'read and verify the audit log, which records every action')
  audit
    .command('tail')
    .description('print the newest rows')
    .option('-n, --lines <n>', 'print this many rows (default: 20)', countFlag(200))
    .action((flags: AuditTailFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/audit.ts')).auditTailCommand(needs, flags)),
    )
  audit
    .command('verify')
    .description('check that no row was changed or removed')
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/audit.ts')).auditVerifyCommand(needs)),
    )
  audit
    .command('accept')
    .description('accept the log as it is despite its problems, and clear the warning')
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/audit.ts')).auditAcceptCommand(needs)),
    )
}
