import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { PlaybookRole } from '../../domain/playbook/playbook.ts'
import type { RoleStage } from '../../domain/playbook/stage.ts'
import { schemaOf } from '../../domain/run/output-schema.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'

/** A visit with everything that decides what its agent is asked. */
export type AskedVisit = LoadedRun & {
  readonly job: Job
  readonly visit: Visit
  readonly stage: RoleStage
  readonly role: PlaybookRole
  readonly schema: AnswerSchema
}

/** The visit that an attempt is for; undefined if its run is gone. */
export async function findAsked(records: Records, { purpose }: Attempt): Promise<AskedVisit | undefined> {
  if (purpose.type !== 'visit') return undefined
  const loaded = await loadRun(records, purpose.runId)
  const job = loaded === undefined ? undefined : await records.jobs.find(loaded.run.jobId)
  const visit = loaded?.visits.find(({ id }) => id === purpose.visitId)
  if (loaded === undefined || job === undefined || visit === undefined) return undefined
  const stage = loaded.pinned.playbook.stages[visit.stage]
  const role = stage?.type === 'role' ? loaded.pinned.playbook.roles[stage.role] : undefined
  if (stage?.type !== 'role' || role === undefined) return undefined
  const schema = schemaOf(stage.output, loaded.pinned.files)
  // A playbook whose schema can't be used is not valid, so none is pinned.
  if (!schema.ok) throw new Error(`run ${loaded.run.id}: ${schema.failure}`)
  return { ...loaded, job, visit, stage, role, schema: schema.value }
}

/** The visit, if its run still waits for this attempt. */
export async function findAwaited(records: Records, attempt: Attempt): Promise<AskedVisit | undefined> {
  const asked = await findAsked(records, attempt)
  const isAwaited = asked?.visit.state.type === 'working' && asked.visit.attemptId === attempt.id
  return isAwaited && asked?.run.state.type === 'running' ? asked : undefined
}
