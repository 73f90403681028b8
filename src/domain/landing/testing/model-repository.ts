type Pairs = readonly (readonly [number, number])[]

export type RepositoryPlan = {
  readonly landings: readonly { readonly isBroken: boolean }[]
  /** Pairs that can't be merged. */
  readonly textConflicts: Pairs
  /** Pairs that can be merged but fail the checks together. */
  readonly meaningConflicts: Pairs
}

/** The content of a commit: numbers of landings, and of what outsiders put on the branch. */
export type Content = ReadonlySet<number>

/** As much of git and of checks as a merge queue can see: commits are sets, and a merge is their union. */
export class ModelRepository {
  readonly #plan: RepositoryPlan
  readonly #commits = new Map<string, Content>([['c0', new Set()]])

  constructor(plan: RepositoryPlan) {
    this.#plan = plan
  }

  commit(content: Content): string {
    const id = `c${this.#commits.size}`
    this.#commits.set(id, content)
    return id
  }

  contentOf(commit: string): Content {
    return this.#commits.get(commit) ?? new Set()
  }

  /** Merges in order; an entry that conflicts with the result so far is left out. */
  merge<Entry extends { readonly number: number }>(onto: string, batch: readonly Entry[]) {
    const content = new Set(this.contentOf(onto))
    const merged: Entry[] = []
    const conflicts: Entry[] = []
    for (const entry of batch) {
      const doesConflict = this.conflicts(content, entry.number)
      ;(doesConflict ? conflicts : merged).push(entry)
      if (!doesConflict) content.add(entry.number)
    }
    return { content, merged, conflicts }
  }

  conflicts(content: Content, number: number): boolean {
    return [...content].some((other) => isPair(this.#plan.textConflicts, other, number))
  }

  isGreen(content: Content): boolean {
    const isBroken = [...content].some((number) => this.#plan.landings[number]?.isBroken === true)
    const clash = this.#plan.meaningConflicts.some(
      ([one, other]) => one !== other && content.has(one) && content.has(other),
    )
    return !isBroken && !clash
  }
}

export function treeOf(content: Content): string {
  return [...content].sort((one, other) => one - other).join(' ')
}

function isPair(pairs: Pairs, one: number, other: number): boolean {
  if (one === other) return false
  return pairs.some(([left, right]) => (left === one && right === other) || (left === other && right === one))
}
