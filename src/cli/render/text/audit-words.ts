import type { WireAuditBreak, WireAuditCheck } from '../../../client/index.ts'
import { assertNever } from '../../../domain/assert-never.ts'
import { counted } from './counted.ts'

/** Says in a sentence what a check of the audit log found. */
export function auditWords(check: WireAuditCheck): string {
  switch (check.status) {
    case 'checking':
      return 'the audit log is being checked'
    case 'intact':
      return `the audit log is complete and unchanged (${counted(check.rows, 'row')})`
    case 'broken':
      return `the audit log was changed: ${breakWords(check.breaks)}`
    default:
      return assertNever(check)
  }
}

export function auditBreakWords(found: WireAuditBreak): string {
  switch (found.type) {
    case 'row-changed':
      return `row ${found.seq} was changed after it was written`
    case 'rows-missing':
      return `${rows(found.from, found.to)} missing`
    case 'tail-cut':
      return `${rows(found.from, found.to)} missing at the end of the log`
    case 'row-replaced':
      return `row ${found.seq} is missing or is not the row that was written`
    case 'head-missing':
      return 'the file audit-head is missing from the home, so the end of the log may have been cut off'
    case 'accepted-changed':
      return `rows up to ${found.to} changed after you accepted them`
    default:
      return assertNever(found)
  }
}

function breakWords([first, ...others]: readonly WireAuditBreak[]): string {
  if (first === undefined) return 'nothing more is known'
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more problem')}`
  return `${auditBreakWords(first)}${more}`
}

function rows(from: number, to: number): string {
  return from === to ? `row ${from} is` : `rows ${from} to ${to} are`
}
