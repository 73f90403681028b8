import type { RecordsFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

export const recordsFailures: FailureTable<RecordsFailure> = {
  'audit-intact': refusal(409, () => ({
    message: 'The audit log is complete and unchanged, so there is nothing to accept.',
    next: 'muster audit tail',
  })),
  'backup-running': refusal(409, ({ file }) => ({
    message: `A backup to ${file} is already running.`,
    next: 'Wait until it has finished, then try again.',
  })),
  'backup-file-exists': refusal(409, ({ file }) => ({
    message: `${file} already exists.`,
    next: 'Choose another file, or replace this one with --force.',
  })),
  'backup-unwritable': refusal(422, ({ file, problem }) => ({
    message: `The backup could not be written to ${file}: ${problem}`,
    next: 'Choose a file in a directory that you can write to.',
  })),
  'backup-no-space': refusal(507, ({ file, freeMb, neededMb }) => ({
    message: `The backup needs up to ${neededMb} MB, but only ${freeMb} MB is free on the disk of ${file}.`,
    next: 'Free some space, or choose a file on another disk.',
  })),
}
