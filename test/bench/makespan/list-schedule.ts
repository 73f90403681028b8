import type { SimulatedTask } from './simulated-tasks.ts'

/** How long the tasks take without overhead, if ready tasks start in order and `parallel` of them run at once. */
export function listSchedule(tasks: readonly SimulatedTask[], parallel: number): number {
  const ends = new Map<number, number>()
  const waiting = [...tasks].sort((one, other) => one.number - other.number)
  let now = 0
  while (waiting.length > 0) {
    const isReady = ({ dependsOn }: SimulatedTask) => dependsOn.every((number) => endOf(ends, number) <= now)
    const running = [...ends.values()].filter((end) => end > now)
    const starting = waiting.filter(isReady).slice(0, parallel - running.length)
    for (const task of starting) {
      ends.set(task.number, now + task.durationMs)
      waiting.splice(waiting.indexOf(task), 1)
    }
    const ahead = [...ends.values()].filter((end) => end > now)
    if (ahead.length === 0 && starting.length === 0)
      throw new Error('the tasks depend on each other in a circle')
    now = Math.min(...ahead)
  }
  return Math.max(0, ...ends.values())
}

/** The longest chain of dependent tasks. No number of agents is faster. */
export function criticalPath(tasks: readonly SimulatedTask[]): number {
  const ends = new Map<number, number>()
  for (const { number, durationMs, dependsOn } of tasks) {
    ends.set(number, durationMs + Math.max(0, ...dependsOn.map((earlier) => endOf(ends, earlier))))
  }
  return Math.max(0, ...ends.values())
}

function endOf(ends: ReadonlyMap<number, number>, number: number): number {
  return ends.get(number) ?? Number.POSITIVE_INFINITY
}
