import type { Priority, Task } from './task.ts'

/** What depends on a task, directly or through others. */
type Weight = {
  /** The priority of the most urgent task that waits for it. */
  readonly priority: Priority
  /** How many tasks in a row wait for it, including itself. */
  readonly chain: number
  readonly followers: ReadonlySet<number>
}

/** A task with its effective priority: that of the most urgent task that waits for it. */
export type UrgentTask = { readonly task: Task; readonly priority: Priority }

/**
 * Pending tasks in the order in which they should start: the most urgent first, then the head of the longest chain,
 * because the chain decides when everything is done, then the one that holds up the most others.
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
    // Set before its dependents are visited, so that a cycle, which no plan should contain, ends here.
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
