import type { Task } from './task.ts'
import { isTaskOver } from './task-state.ts'
import { inOrderOfUrgency, type UrgentTask } from './task-urgency.ts'

export type TaskReadiness = {
  /** Tasks that wait for nothing but a place, most urgent first. */
  readonly ready: readonly UrgentTask[]
  /** Tasks that can never start, because one they build on did not land. */
  readonly lost: readonly { readonly task: Task; readonly reason: string }[]
}

/** Which pending tasks of a cycle could start now: what they depend on has landed. */
export function readyTasks(tasks: readonly Task[]): TaskReadiness {
  const byNumber = new Map(tasks.map((task) => [task.number, task]))
  const lost: { task: Task; reason: string }[] = []
  const ready: UrgentTask[] = []
  for (const urgent of inOrderOfUrgency(tasks)) {
    const { task } = urgent
    const dependencies = task.dependsOn.map((number) => byNumber.get(number))
    const broken = dependencies.find((dependency) => dependency !== undefined && hasFailed(dependency))
    if (broken !== undefined) {
      lost.push({ task, reason: `task ${broken.number}, which it builds on, is ${broken.state.type}` })
      continue
    }
    const isReady =
      dependencies.every((dependency) => dependency?.state.type === 'completed') &&
      task.after.every((number) => isOver(byNumber.get(number)))
    if (isReady) ready.push(urgent)
  }
  return { ready, lost }
}

function isOver(task: Task | undefined): boolean {
  return task === undefined || isTaskOver(task.state)
}

function hasFailed(task: Task): boolean {
  return task.state.type === 'failed' || task.state.type === 'blocked' || task.state.type === 'skipped'
}
