import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { CandidateRecords } from '../../../ports/store/candidate-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createCandidateRecords(scope: Scope): CandidateRecords {
  const { database } = scope
  const select = () => database.selectFrom('candidates').selectAll().orderBy('id')
  return {
    async insert(candidate, change) {
      await database.insertInto('candidates').values(columnsOf(candidate)).execute()
      scope.note(change)
      return candidate
    },
    save: (candidate, change) => saveRow(scope, 'candidate', candidate, columnsOf(candidate), change),
    find: (id) => findRow(select().where('id', '=', id), toCandidate),
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toCandidate)
    },
    async listOpen(jobId) {
      const open = select().where('status', 'not in', ['landed', 'dropped'])
      const rows = await (jobId === undefined ? open : open.where('jobId', '=', jobId)).execute()
      return rows.map(toCandidate)
    },
    listOfJob: (jobId) => listRows(select().where('jobId', '=', jobId), toCandidate),
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
