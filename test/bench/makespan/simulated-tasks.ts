/** One task of a simulated job: how long its agent works, and the numbers of its dependencies, from 1. */
export type SimulatedTask = {
  readonly number: number
  readonly durationMs: number
  readonly dependsOn: readonly number[]
}

export type Durations = { readonly shortestMs: number; readonly longestMs: number }

const DEPENDENT_SHARE = 0.5

/** Generates tasks, the same for the same seed. */
export function simulatedTasks(
  count: number,
  seed: number,
  { shortestMs, longestMs }: Durations,
): readonly SimulatedTask[] {
  const next = createRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const durationMs = Math.round(shortestMs + next() * (longestMs - shortestMs))
    const isDependent = index > 1 && next() < DEPENDENT_SHARE
    const earlier = () => 1 + Math.floor(next() * index)
    const dependsOn = isDependent
      ? [...new Set([earlier(), earlier()])].sort((one, other) => one - other)
      : []
    return { number: index + 1, durationMs, dependsOn }
  })
}

/** Pseudo-random numbers from 0 to 1, the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
