import type { WireAuditCheck, WireAuditRow } from '../../contract/audit.ts'
import type { AuditCheck } from '../../domain/audit/audit-check.ts'
import type { AuditRow } from '../../domain/audit/audit-row.ts'

export function auditCheckToWire(check: AuditCheck): WireAuditCheck {
  if (check.type === 'checking') return { status: check.type }
  const facts = { rows: check.rows, checkedAt: check.checkedAt.toISOString() }
  return check.type === 'intact'
    ? { status: check.type, ...facts }
    : { status: check.type, ...facts, breaks: [...check.breaks] }
}

export function auditRowToWire(row: AuditRow): WireAuditRow {
  return { ...row, at: row.at.toISOString(), detail: { ...row.detail } }
}
