import { describeTaskState } from './describe-task-state.ts'
import type { Task } from './task.ts'
import { taskName } from './task-name.ts'
import { isTaskFinished } from './task-state.ts'
import { inOrderOfUrgency, type UrgentTask } from './task-urgency.ts'

export type TaskReadiness = {
  /** Tasks that only need a place, most urgent first. */
  readonly ready: readonly UrgentTask[]
  /** Tasks that can never start, because a task they build on did not land. */
  readonly lost: readonly { readonly task: Task; readonly reason: string }[]
}

/** The pending tasks of a cycle that could start now, because everything they depend on has landed. */
export function readyTasks(tasks: readonly Task[]): TaskReadiness {
  const byNumber = new Map(tasks.map((task) => [task.number, task]))
  const lost: { task: Task; reason: string }[] = []
  const ready: UrgentTask[] = []
  for (const urgent of inOrderOfUrgency(tasks)) {
    const { task } = urgent
    const dependencies = task.dependsOn.map((number) => byNumber.get(number))
    const broken = dependencies.find((dependency) => dependency !== undefined && hasFailed(dependency))
    if (broken !== undefined) {
      lost.push({
        task,
        reason: `it builds on task ${taskName(broken)}, which ${describeTaskState(broken.state)}`,
      })
      continue
    }
    const isReady =
      dependencies.every((dependency) => dependency?.state.type === 'completed') &&
      task.after.every((number) => isFinished(byNumber.get(number)))
    if (isReady) ready.push(urgent)
  }
  return { ready, lost }
}

function isFinished(task: Task | undefined): boolean {
  return task === undefined || isTaskFinished(task.state)
}

function hasFailed(task: Task): boolean {
  return task.state.type === 'failed' || task.state.type === 'blocked' || task.state.type === 'skipped'
}
