import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskFailed } from '../../domain/event/task-events.ts'
import { nextTaskState, type TaskEvent } from '../../domain/task/next-task-state.ts'
import { reasonLine } from '../../domain/task/reason-line.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock'>

type Block = Extract<TaskEvent, { type: 'attempt-exhausted' }> & {
  readonly suggestion: string
}

/**
 * Blocks a task that cannot continue without a person, with the reason in one line and a suggestion. The task
 * contains the details.
 */
export async function blockTask(
  needs: Needs,
  records: Records,
  task: Task,
  attempt: Attempt,
  event: Block,
): Promise<void> {
  const state = nextTaskState(task.state, event)
  if (!state.ok) return
  const { reason, suggestion } = event
  await records.tasks.save(
    { ...task, state: state.value, completedAt: needs.clock.now() },
    {
      audit: {
        actor: 'engine',
        action: 'task-block',
        subject: task.id,
        detail: { role: attempt.role, attempt: attempt.number },
      },
      events: [
        taskFailed(task, { status: state.value.type, error: reasonLine(reason), suggestion }, attempt.id),
      ],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}
