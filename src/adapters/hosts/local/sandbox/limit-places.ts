import { dirname } from 'node:path'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { isBelow } from './plan-mounts.ts'

/** Hiding a file takes bubblewrap longer the more are hidden already: a thousand take it about a second. */
const FEW_ENOUGH = 1000
/** Two seconds' worth. Bubblewrap also accepts only 9,000 arguments, of which each place needs up to three. */
const MOST_PLACES = 1500
/** A directory is hidden as a whole rather for more places than these than for fewer. */
const CROWDS = [20, 1]

/** A directory with more to hide directly in it than is possible, although it has to be shown itself. */
export type Overcrowded = { readonly directory: string; readonly count: number }

/**
 * The same places, or if there are too many, the directories around them instead. Deep directories come first, so that
 * as little else as possible disappears. The roots are shown because programs need them, so they can't be hidden.
 */
export function limitPlaces(
  places: readonly string[],
  roots: ReadonlySet<string>,
): Result<readonly string[], Overcrowded> {
  let left = [...new Set(places)]
  for (const crowd of CROWDS) left = joinCrowds(left, roots, crowd)
  if (left.length <= MOST_PLACES) return success(left)
  const [directory = '', count = 0] = countBy(left, (place) => rootOf(place, roots))[0] ?? []
  return failure({ directory, count })
}

function joinCrowds(places: readonly string[], roots: ReadonlySet<string>, crowd: number): string[] {
  let left = [...places]
  const deepest = Math.max(0, ...new Set(left.map(depthOf)))
  for (let depth = deepest - 1; depth > 0 && left.length > FEW_ENOUGH; depth -= 1) {
    const around = new Map(left.map((place) => [place, directoryAround(place, depth, roots)]))
    let excess = left.length - FEW_ENOUGH
    const joined = new Set<string>()
    for (const [directory, count] of countBy(left, (place) => around.get(place))) {
      if (count <= crowd || excess <= 0) break
      joined.add(directory)
      excess -= count - 1
    }
    left = [...new Set(left.map((place) => pick(place, around.get(place), joined)))]
  }
  return left
}

function pick(place: string, around: string | undefined, joined: ReadonlySet<string>): string {
  return around !== undefined && joined.has(around) ? around : place
}

/** How many places each directory has, most first. */
function countBy(
  places: readonly string[],
  directoryOf: (place: string) => string | undefined,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const place of places) {
    const directory = directoryOf(place)
    if (directory !== undefined) counts.set(directory, (counts.get(directory) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** The directory of this depth that a place is in, unless that is a root or not inside one. */
function directoryAround(place: string, depth: number, roots: ReadonlySet<string>): string | undefined {
  if (depthOf(place) <= depth) return undefined
  const directory = place
    .split('/')
    .slice(0, depth + 1)
    .join('/')
  const root = rootOf(place, roots)
  return root !== undefined && directory !== root && isBelow(directory, root) ? directory : undefined
}

/** The nearest root around a place. */
function rootOf(place: string, roots: ReadonlySet<string>): string | undefined {
  for (let directory = dirname(place); ; directory = dirname(directory)) {
    if (roots.has(directory)) return directory
    if (directory === dirname(directory)) return undefined
  }
}

function depthOf(place: string): number {
  return place.split('/').filter(Boolean).length
}
