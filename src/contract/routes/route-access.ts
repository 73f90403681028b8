/** Who may call a route: anybody on this machine, or a person who holds the token. */
export type RouteAccess = 'open' | 'person'

/** Spread into a route's definition; every route has exactly one of these two. */
export const openAccess = { 'x-access': 'open', security: [] } as const satisfies AccessFields
export const personAccess = { 'x-access': 'person', security: [{ bearer: [] }] } satisfies AccessFields

type AccessFields = { readonly 'x-access': RouteAccess; readonly security: Record<string, string[]>[] }
