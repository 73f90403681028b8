import { CompiledQuery, type Kysely, sql } from 'kysely'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { Change } from '../../../ports/store/change.ts'
import { type Records, StaleRecordError, type Store } from '../../../ports/store/store.ts'
import type { SqlExecutor, Work } from '../../../ports/work-queue.ts'
import { appendEvents } from './append-events.ts'
import { createApprovalRecords } from './approval-records.ts'
import { createApprovalRuleRecords } from './approval-rule-records.ts'
import { createAttemptRecords } from './attempt-records.ts'
import { createBaselineRecords } from './baseline-records.ts'
import { createCandidateRecords } from './candidate-records.ts'
import { createCycleRecords } from './cycle-records.ts'
import type { Database } from './database.ts'
import { createDeletionRecords } from './deletion-records.ts'
import { createDocumentRecords } from './document-records.ts'
import { createJobRecords, toJob } from './job-records.ts'
import { createLandingRecords } from './landing-records.ts'
import { createMessageRecords } from './message-records.ts'
import { createNameRecords } from './name-records.ts'
import { createPinnedPlaybookRecords, type RecentPlaybooks } from './pinned-playbook-records.ts'
import { isOutdated } from './preparing-client.ts'
import { createProjectRecords } from './project-records.ts'
import { createRunRecords } from './run-records.ts'
import { readingScope, type Scope } from './scope.ts'
import { createSessionRecords } from './session-records.ts'
import { createTaskRecords } from './task-records.ts'
import { createTrustRecords } from './trust-records.ts'
import { createVisitRecords } from './visit-records.ts'

type Needs = {
  readonly database: Kysely<Database>
  /** Stores work in the transaction. The returned function is called after the commit. */
  readonly sendWork: (transaction: SqlExecutor, work: readonly Work[]) => Promise<() => void>
}

const RETRYABLE = new Set(['40001', '40P01'])

export function createPostgresStore(needs: Needs): Store {
  const playbooks: RecentPlaybooks = new Map()
  const transact: Store['transact'] = (work) => retrying(() => transactOnce(needs, playbooks, work))
  return {
    read: recordsOf(readingScope(needs.database), playbooks),
    transact,
    withJob: (jobId, work) =>
      retrying(() =>
        transactOnce(needs, playbooks, async (records, transaction) => {
          const row = await transaction
            .selectFrom('jobs')
            .selectAll()
            .where('id', '=', jobId)
            // Not FOR UPDATE: it would also hold up rows that only refer to the job, which are inserted by transactions
            // that hold the admission lock and so would wait for each other.
            .forNoKeyUpdate()
            .executeTakeFirst()
          return row === undefined ? undefined : work(records, toJob(row))
        }),
      ),
  }
}

/**
 * Writes states as the work runs, and events, audit and follow-up work at the end, always in the same order. Their
 * locks are held only briefly then, and can't deadlock.
 */
async function transactOnce<Value>(
  needs: Needs,
  playbooks: RecentPlaybooks,
  work: (records: Records, transaction: Kysely<Database>) => Promise<Value>,
): Promise<Value> {
  let onCommitted: () => void = () => undefined
  const value = await needs.database.transaction().execute(async (transaction) => {
    const changes: Change[] = []
    const scope: Scope = { database: transaction, note: (change) => changes.push(change) }
    const result = await work(recordsOf(scope, playbooks), transaction)
    await appendEvents(
      scope,
      changes.flatMap((change) => change.events ?? []),
    )
    await appendAudit(transaction, changes)
    const follow = withoutRepeats(changes.flatMap((change) => change.follow ?? []))
    if (follow.length > 0) onCommitted = await needs.sendWork(executorOf(transaction), follow)
    return result
  })
  onCommitted()
  return value
}

/** Several changes in one transaction may ask for the same work. Doing it once is enough: it sees all of them. */
function withoutRepeats(work: readonly Work[]): readonly Work[] {
  return [...new Map(work.map((item) => [JSON.stringify(item), item])).values()]
}

async function appendAudit(transaction: Kysely<Database>, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const entries = changes.map(({ audit }) => ({ ...audit, detail: JSON.stringify(audit.detail) }))
  await sql`select append_audit(${JSON.stringify(entries)}::jsonb)`.execute(transaction)
}

function executorOf(transaction: Kysely<Database>): SqlExecutor {
  return {
    async executeSql(text, values = []) {
      const result = await transaction.withoutPlugins().executeQuery(CompiledQuery.raw(text, values))
      return { rows: result.rows }
    },
  }
}

function recordsOf(scope: Scope, playbooks: RecentPlaybooks): Records {
  return {
    projects: createProjectRecords(scope),
    jobs: createJobRecords(scope),
    cycles: createCycleRecords(scope),
    tasks: createTaskRecords(scope),
    attempts: createAttemptRecords(scope),
    sessions: createSessionRecords(scope),
    landings: createLandingRecords(scope),
    candidates: createCandidateRecords(scope),
    baselines: createBaselineRecords(scope),
    pinnedPlaybooks: createPinnedPlaybookRecords(scope, playbooks),
    runs: createRunRecords(scope),
    visits: createVisitRecords(scope),
    documents: createDocumentRecords(scope),
    approvals: createApprovalRecords(scope),
    approvalRules: createApprovalRuleRecords(scope),
    messages: createMessageRecords(scope),
    trust: createTrustRecords(scope),
    names: createNameRecords(scope),
    deletions: createDeletionRecords(scope),
    note: async (change) => scope.note(change),
  }
}

async function retrying<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (tries >= RETRY_LIMITS.transactions || !isRetryable(error)) throw error
    }
  }
}

function isRetryable(error: unknown): boolean {
  // The row changed between reading and saving. A new transaction reads it again.
  if (error instanceof StaleRecordError) return true
  if (isOutdated(error)) return true
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}
