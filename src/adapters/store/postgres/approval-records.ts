import type { Selectable } from 'kysely'
import type { Approval } from '../../../domain/approval/approval.ts'
import type { ApprovalRecords } from '../../../ports/store/approval-records.ts'
import type { Database } from './database.ts'
import { findRow, json, type Scope, saveRow, withoutNulls } from './scope.ts'

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
      if (inserted.numInsertedOrUpdatedRows === 1n) {
        scope.note(change)
        return approval
      }
      const earlier = await select().where('asker', '=', json(approval.asker)).executeTakeFirstOrThrow()
      return toApproval(earlier)
    },
    save: (approval, change) => saveRow(scope, 'approval', approval, columnsOf(approval), change),
    find: (id) => findRow(select().where('id', '=', id), toApproval),
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
