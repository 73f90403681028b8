import { appendedLearnings } from '../../domain/attempt/appended-learnings.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'

/** Keeps what an agent says it learnt with its cycle, for those who come after it. */
export async function storeLearnings(
  records: Records,
  task: Task,
  attempt: Attempt,
  learnt: readonly string[],
): Promise<void> {
  if (learnt.length === 0) return
  const cycle = await records.cycles.find(task.cycleId)
  if (cycle === undefined) return
  const learnings = appendedLearnings(cycle.learnings, learnt)
  if (learnings === undefined || learnings === cycle.learnings) return
  await records.cycles.save(
    { ...cycle, learnings },
    {
      audit: {
        actor: 'engine',
        action: 'cycle-learn',
        subject: cycle.id,
        detail: { attempt: attempt.id },
      },
    },
  )
}
