import type { JobPlan } from '../job/job.ts'
import type { Run } from './run.ts'

/**
 * Whether a run asks a person when it gets no further. A job that reviews everything goes on with its other tasks
 * instead of waiting, so a run that only exists because of that doesn't.
 */
export function asksPerson(
  { reviews }: Pick<JobPlan, 'reviews'>,
  { playbook }: Pick<Run, 'playbook'>,
): boolean {
  return playbook.hash !== reviews?.hash
}
