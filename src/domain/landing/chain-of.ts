import type { Candidate } from './candidate.ts'

/** Open candidates of one branch, each after the one it builds on. */
export function chainOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const byOnto = new Map(candidates.map((candidate) => [candidate.onto, candidate]))
  const commits = new Set(candidates.map(({ commit }) => commit))
  const chain: Candidate[] = []
  let next = candidates.find(({ onto }) => !commits.has(onto))
  while (next !== undefined && chain.length < candidates.length) {
    chain.push(next)
    next = byOnto.get(next.commit)
  }
  return chain
}
