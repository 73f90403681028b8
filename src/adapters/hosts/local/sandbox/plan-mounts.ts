import { assertNever } from '../../../../domain/assert-never.ts'
import { isBelow } from './is-below.ts'

/** What a sandbox shows at one place. Paths are real: no symbolic link is on the way. */
export type MountRule =
  | { readonly type: 'hidden'; readonly path: string; readonly isDirectory: boolean }
  | { readonly type: 'readable'; readonly path: string }
  | { readonly type: 'link'; readonly path: string; readonly target: string }
  | { readonly type: 'writable'; readonly path: string }

const RANK = { hidden: 0, link: 1, readable: 2, writable: 3 } as const

/**
 * The options that make a file system, all of it readable and nothing writable, obey the rules. What lies deeper
 * is mounted later and so on top; at one place the more generous rule counts. Rules that would change nothing are
 * left out: each is a mount, and one inside something hidden would show that there is something.
 */
export function planMounts(rules: readonly MountRule[], emptied: readonly string[]): readonly string[] {
  const ordered = rules.toSorted(
    (first, second) => depth(first.path) - depth(second.path) || RANK[first.type] - RANK[second.type],
  )
  const placed = new Map<string, MountRule['type']>(emptied.map((path) => [path, 'hidden']))
  const plan: string[] = []
  for (const rule of ordered) {
    const isOutdone = ordered.some((other) => other.path === rule.path && RANK[other.type] > RANK[rule.type])
    if (isOutdone || !changes(rule, surroundings(rule.path, placed))) continue
    placed.set(rule.path, rule.type)
    plan.push(...mountOf(rule))
  }
  return plan
}

function changes(rule: MountRule, around: MountRule['type'] | undefined): boolean {
  switch (rule.type) {
    case 'hidden':
      return around !== 'hidden'
    case 'writable':
      return around !== 'writable'
    case 'readable':
    case 'link':
      return around === 'hidden'
    default:
      return assertNever(rule)
  }
}

/** What the nearest rule at or above a path made of it. */
function surroundings(
  path: string,
  placed: ReadonlyMap<string, MountRule['type']>,
): MountRule['type'] | undefined {
  const above = [...placed.keys()].filter((place) => isBelow(path, place))
  const nearest = above.toSorted((first, second) => depth(second) - depth(first))[0]
  return nearest === undefined ? undefined : placed.get(nearest)
}

function mountOf(rule: MountRule): readonly string[] {
  switch (rule.type) {
    case 'hidden':
      return rule.isDirectory ? ['--tmpfs', rule.path] : ['--ro-bind', '/dev/null', rule.path]
    case 'readable':
      return ['--ro-bind', rule.path, rule.path]
    case 'link':
      return ['--symlink', rule.target, rule.path]
    case 'writable':
      return ['--bind', rule.path, rule.path]
    default:
      return assertNever(rule)
  }
}

function depth(path: string): number {
  return path.split('/').filter(Boolean).length
}
