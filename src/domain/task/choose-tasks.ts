import type { Task } from './task.ts'

export type TaskChoice = {
  readonly start: readonly Task[]
  /** Tasks that can never start, because one they build on did not land. */
  readonly lost: readonly { readonly task: Task; readonly reason: string }[]
}

export type TaskRoom = {
  readonly maxParallel: number
  /** Room left over all jobs. */
  readonly maxSessions: number
  readonly maxParallelOf: (task: Task) => number
  readonly agentOf: (task: Task) => string
}

/** Which pending tasks start now: dependencies landed, most urgent first, within every limit. */
export function chooseTasks(tasks: readonly Task[], room: TaskRoom): TaskChoice {
  const byNumber = new Map(tasks.map((task) => [task.number, task]))
  const running = tasks.filter((task) => task.state.type === 'running')
  const lost: { task: Task; reason: string }[] = []
  const start: Task[] = []
  for (const task of inOrderOfUrgency(tasks)) {
    const dependencies = task.dependsOn.map((number) => byNumber.get(number))
    const broken = dependencies.find((dependency) => dependency !== undefined && hasFailed(dependency))
    if (broken !== undefined) {
      lost.push({ task, reason: `task ${broken.number}, which it builds on, is ${broken.state.type}` })
      continue
    }
    const isReady = dependencies.every((dependency) => dependency?.state.type === 'completed')
    if (isReady && fits(task, [...running, ...start], room, start.length)) start.push(task)
  }
  return { start, lost }
}

function inOrderOfUrgency(tasks: readonly Task[]): readonly Task[] {
  const pending = tasks.filter((task) => task.state.type === 'pending')
  return pending.sort((one, other) => one.priority.localeCompare(other.priority) || one.number - other.number)
}

function hasFailed(task: Task): boolean {
  return task.state.type === 'failed' || task.state.type === 'blocked' || task.state.type === 'skipped'
}

function fits(task: Task, beside: readonly Task[], room: TaskRoom, started: number): boolean {
  if (beside.length >= room.maxParallel || started >= room.maxSessions) return false
  // A task that may not run beside others waits for an empty floor, and keeps it.
  if (beside.length > 0 && (!task.parallel || beside.some((other) => !other.parallel))) return false
  const sameAgent = beside.filter((other) => room.agentOf(other) === room.agentOf(task)).length
  return sameAgent < room.maxParallelOf(task)
}
