import type { OriginatedDraft } from '../discovery/conflict-draft.ts'
import { goalClauses } from '../goal/goal-clauses.ts'
import type { Job, JobApproach } from './job.ts'

/** The only task of a job without a planner: its whole goal, as the person wrote it. */
export function givenDraft(
  { requestDocument }: Pick<Job, 'requestDocument'>,
  { playbook, inputs }: Pick<JobApproach, 'playbook' | 'inputs'>,
): OriginatedDraft {
  return {
    description: requestDocument.trim(),
    context: '',
    files: [],
    parallel: false,
    priority: 'P1',
    successCriteria: [],
    dependsOn: [],
    clauses: goalClauses(requestDocument).map((_, index) => index + 1),
    playbook: { ...playbook, inputs },
    origin: { type: 'given' },
  }
}
