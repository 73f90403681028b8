import type { RoleTable } from '../../src/engine/roles/role.ts'
import { createRoles } from '../../src/engine/roles/roles.ts'

export const NO_ROLES: RoleTable = { find: () => undefined, usual: [], forModels: [] }

/** The built-in roles, for tests that use their names but neither prompt nor settle. */
export const ROLE_NAMES: RoleTable = createRoles({} as never)
