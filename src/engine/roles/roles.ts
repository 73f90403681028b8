import { createPlanner } from './planner.ts'
import { createReviewer } from './reviewer.ts'
import type { Role, RoleTable } from './role.ts'
import { createWorker } from './worker.ts'

type Needs = Parameters<typeof createPlanner>[0] &
  Parameters<typeof createWorker>[0] &
  Parameters<typeof createReviewer>[0]

/**
 * The built-in roles, and more: a role from a playbook is one more entry, made from its definition. A personal session
 * takes its agent's first role, so the worker comes first.
 */
export function createRoles(needs: Needs, more: readonly Role[] = []): RoleTable {
  const roles = [createWorker(needs), createPlanner(needs), createReviewer(needs), ...more]
  const table = new Map<string, Role>(roles.map((role) => [role.name, role]))
  const namesOf = (isIncluded: (role: Role) => boolean) => roles.filter(isIncluded).map(({ name }) => name)
  return {
    find: (name) => table.get(name),
    usual: namesOf(({ isUsual = false }) => isUsual),
    forModels: namesOf(({ answer }) => answer !== undefined),
  }
}
