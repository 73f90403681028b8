import type { Job } from '../job/job.ts'
import type { Task } from './task.ts'

/** The goal of a run that works on one of a planner's tasks. Its roles see this text instead of the job's goal. */
export function taskGoal(
  { requestDocument }: Pick<Job, 'requestDocument'>,
  { description, context, successCriteria, lastFailure }: Task,
): string {
  const criteria = successCriteria.map((criterion, index) => `${index + 1}. ${criterion}`)
  return [
    description.trim(),
    ...part('What to know:', context),
    ...part('It is done when:', criteria.join('\n')),
    ...part('An earlier try failed:', lastFailure ?? ''),
    ...part('The goal that this task belongs to (for reference; do only the task):', requestDocument),
  ].join('\n\n')
}

function part(title: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : [`${title}\n${text.trim()}`]
}
