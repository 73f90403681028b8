import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { CandidateRecords } from '../../../ports/store/candidate-records.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createCandidateRecords(scope: Scope): CandidateRecords {
  const { database } = scope
  const select = () => database.selectFrom('candidates').selectAll().orderBy('id')
  return {
    async insert(candidate, change) {
      await database.insertInto('candidates').values(columnsOf(candidate)).execute()
      scope.note(change)
      return candidate
    },
    async save(candidate, change) {
      const { id: _, ...fields } = columnsOf(candidate)
      const updated = await database
        .updateTable('candidates')
        .set({ ...fields, version: candidate.version + 1 })
        .where('id', '=', candidate.id)
        .where('version', '=', candidate.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'candidate', candidate.id)
      scope.note(change)
      return { ...candidate, version: candidate.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toCandidate(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toCandidate)
    },
    async listOpen(jobId) {
      const open = select().where('status', 'not in', ['landed', 'dropped'])
      const rows = await (jobId === undefined ? open : open.where('jobId', '=', jobId)).execute()
      return rows.map(toCandidate)
    },
    async listOfJob(jobId) {
      return (await select().where('jobId', '=', jobId).execute()).map(toCandidate)
    },
  }
}

function toCandidate(row: Omit<Database['candidates'], 'status'> & { status: string }): Candidate {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(candidate: Candidate) {
  return {
    ...candidate,
    purpose: json(candidate.purpose),
    state: json(candidate.state),
    checks: json(candidate.checks),
    endedAt: candidate.endedAt ?? null,
  }
}
