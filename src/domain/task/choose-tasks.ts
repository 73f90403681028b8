import type { Task } from './task.ts'
import { isTaskOver } from './task-state.ts'
import { inOrderOfUrgency } from './task-urgency.ts'

export type TaskChoice = {
  readonly start: readonly Task[]
  /** Tasks that can never start, because one they build on did not land. */
  readonly lost: readonly { readonly task: Task; readonly reason: string }[]
}

export type TaskRoom = {
  readonly maxParallel: number
  /** How many may start now, over all limits that are not about one agent. */
  readonly places: number
  /** Whether the agent of a running task is at work; one whose work is being looked at takes no place. */
  readonly isAtWork: (task: Task) => boolean
  readonly maxParallelOf: (task: Task) => number
  readonly agentOf: (task: Task) => string
  /** Sessions of an agent that are at work, over all jobs. */
  readonly liveOf: (agent: string) => number
}

/** Which pending tasks start now: dependencies landed, most urgent first, within every limit. */
export function chooseTasks(tasks: readonly Task[], room: TaskRoom): TaskChoice {
  const byNumber = new Map(tasks.map((task) => [task.number, task]))
  const running = tasks.filter((task) => task.state.type === 'running' && room.isAtWork(task))
  const lost: { task: Task; reason: string }[] = []
  const start: Task[] = []
  for (const task of inOrderOfUrgency(tasks)) {
    const dependencies = task.dependsOn.map((number) => byNumber.get(number))
    const broken = dependencies.find((dependency) => dependency !== undefined && hasFailed(dependency))
    if (broken !== undefined) {
      lost.push({ task, reason: `task ${broken.number}, which it builds on, is ${broken.state.type}` })
      continue
    }
    const isReady =
      dependencies.every((dependency) => dependency?.state.type === 'completed') &&
      task.after.every((number) => isOver(byNumber.get(number)))
    if (isReady && fits(task, running, start, room)) start.push(task)
  }
  return { start, lost }
}

function isOver(task: Task | undefined): boolean {
  return task === undefined || isTaskOver(task.state)
}

function hasFailed(task: Task): boolean {
  return task.state.type === 'failed' || task.state.type === 'blocked' || task.state.type === 'skipped'
}

function fits(task: Task, running: readonly Task[], start: readonly Task[], room: TaskRoom): boolean {
  const beside = [...running, ...start]
  if (beside.length >= room.maxParallel || start.length >= room.places) return false
  // A task that may not run beside others waits for an empty floor, and keeps it.
  if (beside.length > 0 && (!task.parallel || beside.some((other) => !other.parallel))) return false
  const agent = room.agentOf(task)
  const sameAgent = start.filter((other) => room.agentOf(other) === agent).length
  return room.liveOf(agent) + sameAgent < room.maxParallelOf(task)
}
