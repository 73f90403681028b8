import type { Priority, Task } from './task.ts'

/** What hangs on a task, directly or by way of others. */
type Weight = {
  /** As urgent as the most urgent task that waits for it. */
  readonly priority: Priority
  /** How many tasks in a row wait for it, itself counted. */
  readonly chain: number
  readonly followers: ReadonlySet<number>
}

/** A task with the priority it starts with: that of the most urgent task that waits for it. */
export type UrgentTask = { readonly task: Task; readonly priority: Priority }

/**
 * Pending tasks in the order they are to start: the most urgent first, then the one at the head of the longest chain,
 * because the chain decides when all of them are done, then the one that holds up most others.
 */
export function inOrderOfUrgency(tasks: readonly Task[]): readonly UrgentTask[] {
  const weights = weigh(tasks)
  const weightOf = (task: Task) => weights.get(task.number) ?? alone(task)
  return tasks
    .filter((task) => task.state.type === 'pending')
    .sort((one, other) => compare(weightOf(one), weightOf(other)) || one.number - other.number)
    .map((task) => ({ task, priority: weightOf(task).priority }))
}

function compare(one: Weight, other: Weight): number {
  return (
    one.priority.localeCompare(other.priority) ||
    other.chain - one.chain ||
    other.followers.size - one.followers.size
  )
}

function weigh(tasks: readonly Task[]): ReadonlyMap<number, Weight> {
  const dependents = new Map<number, Task[]>()
  for (const task of tasks) {
    for (const number of [...task.dependsOn, ...task.after])
      dependents.set(number, [...(dependents.get(number) ?? []), task])
  }
  const weights = new Map<number, Weight>()
  const weightOf = (task: Task): Weight => {
    const known = weights.get(task.number)
    if (known !== undefined) return known
    // Said before those that follow are asked: a circle, which no plan should hold, ends here.
    weights.set(task.number, alone(task))
    const weight = heavier(
      task,
      (dependents.get(task.number) ?? []).map((next) => [next, weightOf(next)]),
    )
    weights.set(task.number, weight)
    return weight
  }
  for (const task of tasks) weightOf(task)
  return weights
}

function alone(task: Task): Weight {
  return { priority: task.priority, chain: 1, followers: new Set() }
}

function heavier(task: Task, next: readonly (readonly [Task, Weight])[]): Weight {
  const priorities = [task.priority, ...next.map(([, { priority }]) => priority)].sort()
  return {
    priority: priorities[0] ?? task.priority,
    chain: 1 + Math.max(0, ...next.map(([, { chain }]) => chain)),
    followers: new Set(next.flatMap(([{ number }, { followers }]) => [number, ...followers])),
  }
}
