import { assertNever } from '../../../../domain/assert-never.ts'

/** What a sandbox shows at one path. Paths are real paths, without symbolic links. */
export type MountRule =
  | { readonly type: 'hidden'; readonly path: string; readonly isDirectory: boolean }
  | { readonly type: 'readable'; readonly path: string }
  | { readonly type: 'link'; readonly path: string; readonly target: string }
  | { readonly type: 'writable'; readonly path: string }

const RANK = { hidden: 0, link: 1, readable: 2, writable: 3 } as const

/**
 * The bubblewrap options that apply these rules to a file system in which everything is readable and nothing is
 * writable. Deeper paths are mounted later, on top of the others. If a path has several rules, the most generous one
 * counts. Rules that change nothing are left out: each costs a mount, and a mount point inside a hidden folder would
 * show that something is there.
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

/** The type of the nearest rule at or above a path. */
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

/** Whether a path is a directory or inside it. Both are absolute and have no `..`. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
}

function depth(path: string): number {
  return path.split('/').filter(Boolean).length
}
