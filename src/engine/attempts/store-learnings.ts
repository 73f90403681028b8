import type { Attempt } from '../../domain/attempt/attempt.ts'
import { readWorkReport } from '../../domain/attempt/read-work-report.ts'
import { appendedLearnings } from '../../domain/cycle/learnings.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'

/** Stores what an agent learnt with the cycle of its task, for later agents. */
export async function storeLearnings(
  records: Records,
  task: Task,
  attempt: Attempt,
  answer: unknown,
): Promise<void> {
  const { learnings: learnt } = readWorkReport(answer, 0)
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
