import { type Selectable, sql } from 'kysely'
import type { ApprovalRule } from '../../../domain/approval/approval-rule.ts'
import type { ApprovalRuleRecords } from '../../../ports/store/approval-rule-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createApprovalRuleRecords(scope: Scope): ApprovalRuleRecords {
  const { database } = scope
  const select = () => database.selectFrom('approvalRules').selectAll()
  return {
    async insert(rule, change) {
      await database.insertInto('approvalRules').values(columnsOf(rule)).execute()
      scope.note(change)
      return rule
    },
    save: (rule, change) => saveRow(scope, 'approvalRule', rule, columnsOf(rule), change),
    find: (id) => findRow(select().where('id', '=', id), toRule),
    findMatch({ jobId, sessionId, digest, tool, kind }) {
      const isExact = sql<boolean>`match->>'type' = 'exact' and job_id = ${jobId ?? null}
        and match->>'digest' = ${digest}`
      const isAlike = sql<boolean>`match->>'type' = 'alike' and session_id = ${sessionId}
        and match->>'tool' = ${tool} and match->>'kind' = ${kind}`
      const query = select()
        .where('revokedAt', 'is', null)
        .where(sql<boolean>`((${isExact}) or (${isAlike}))`)
        .orderBy('id')
        .limit(1)
      return findRow(query, toRule)
    },
    list({ jobId }, limit) {
      const query = select().orderBy('id', 'desc').limit(limit)
      return listRows(jobId === undefined ? query : query.where('jobId', '=', jobId), toRule)
    },
  }
}

function toRule(row: Selectable<Database['approvalRules']>): ApprovalRule {
  return withoutNulls(row)
}

function columnsOf(rule: ApprovalRule) {
  return {
    ...rule,
    jobId: rule.jobId ?? null,
    sessionId: rule.sessionId ?? null,
    match: json(rule.match),
    revokedBy: rule.revokedBy ?? null,
    revokedAt: rule.revokedAt ?? null,
  }
}
