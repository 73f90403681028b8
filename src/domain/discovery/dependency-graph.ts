/** For each task number, the numbers it depends on. */
export type DependencyGraph = ReadonlyMap<number, readonly number[]>

/** Whether following dependencies from one task leads to another (or back to itself). */
export function dependsTransitively(graph: DependencyGraph, from: number, to: number): boolean {
  const seen = new Set<number>()
  const waiting = [...(graph.get(from) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === to) return true
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return false
}
