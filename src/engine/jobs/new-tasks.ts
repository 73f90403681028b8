import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { OriginatedDraft } from '../../domain/discovery/conflict-draft.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The tasks of a cycle, in the order of their drafts. */
export function newTasks(
  needs: Pick<EngineNeeds, 'clock' | 'ids'>,
  job: Job,
  cycle: Cycle,
  drafts: readonly OriginatedDraft[],
): readonly Task[] {
  const now = needs.clock.now()
  return drafts.map((draft, index) => ({
    ...draft,
    ...playbookOf(job, draft),
    after: draft.after ?? [],
    id: needs.ids.next('task'),
    jobId: job.id,
    cycleId: cycle.id,
    cycleNumber: cycle.number,
    number: index + 1,
    branch: `${job.workingBranch}--${taskName({ cycleNumber: cycle.number, number: index + 1 })}`,
    state: { type: 'pending' },
    retryCount: 0,
    rounds: 0,
    criteria: [],
    filesModified: [],
    commitsMade: [],
    version: 1,
    createdAt: now,
  }))
}

/**
 * Muster's own tasks, such as merges of conflicting work, follow no playbook of a planner's tasks, but in a job that
 * reviews everything, they are reviewed too.
 */
function playbookOf(
  { plan: { taskPlaybook, reviews } }: Job,
  { origin, playbook }: OriginatedDraft,
): Pick<Task, 'playbook'> {
  if (playbook !== undefined) return {}
  if (taskPlaybook === undefined || origin.type !== 'planned') return withoutUndefined({ playbook: reviews })
  const { from: _, ...followed } = taskPlaybook
  return { playbook: followed }
}
