import type { Selectable } from 'kysely'
import type { Approval } from '../../../domain/approval/approval.ts'
import type { ApprovalRecords } from '../../../ports/store/approval-records.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createApprovalRecords(scope: Scope): ApprovalRecords {
  const { database } = scope
  const select = () => database.selectFrom('approvals').selectAll()
  return {
    async insert(approval, change) {
      const inserted = await database
        .insertInto('approvals')
        .values(columnsOf(approval))
        .onConflict((conflict) => conflict.column('asker').doNothing())
        .executeTakeFirst()
      if (inserted.numInsertedOrUpdatedRows === 1n) scope.note(change)
    },
    async save(approval, change) {
      const { id: _, ...columns } = columnsOf(approval)
      const updated = await database
        .updateTable('approvals')
        .set({ ...columns, version: approval.version + 1 })
        .where('id', '=', approval.id)
        .where('version', '=', approval.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'approval', approval.id)
      scope.note(change)
      return { ...approval, version: approval.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toApproval(row)
    },
    async list(filter, limit) {
      let query = select().orderBy('id', 'desc').limit(limit)
      if (filter.jobId !== undefined) query = query.where('jobId', '=', filter.jobId)
      if (filter.sessionId !== undefined) query = query.where('sessionId', '=', filter.sessionId)
      if (filter.isPending === true) query = query.where('status', '=', 'pending')
      return (await query.execute()).map(toApproval)
    },
  }
}

function toApproval(row: Selectable<Database['approvals']>): Approval {
  const { status: _, sessionId: __, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(approval: Approval) {
  return {
    ...approval,
    jobId: approval.jobId ?? null,
    attemptId: approval.attemptId ?? null,
    asker: json(approval.asker),
    action: json(approval.action),
    state: json(approval.state),
    decidedAt: approval.decidedAt ?? null,
  }
}
