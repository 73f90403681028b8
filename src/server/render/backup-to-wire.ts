import type { WireBackup } from '../../contract/backup.ts'
import { describeFailure } from '../../contract/failure/failure-table.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { BackupState } from '../../domain/backup/backup-state.ts'

export function backupToWire(state: BackupState): WireBackup {
  switch (state.type) {
    case 'none':
      return { status: 'none' }
    case 'running': {
      const { type: status, ...rest } = state
      return { status, ...rest }
    }
    case 'done':
      return { status: 'done', ...state.summary, problems: [...state.summary.problems] }
    case 'failed':
      return { status: 'failed', ...describeFailure(state.failure) }
    default:
      return assertNever(state)
  }
}
