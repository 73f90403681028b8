/** Who may call a route: anybody on this machine, a person who holds the token, or an agent with its session's. */
export type RouteAccess = 'open' | 'person' | 'agent'

/** Spread into a route's definition; every route has exactly one of these two. */
export const openAccess = { 'x-access': 'open', security: [] } as const satisfies AccessFields
export const personAccess = { 'x-access': 'person', security: [{ bearer: [] }] } satisfies AccessFields

type AccessFields = { readonly 'x-access': RouteAccess; readonly security: Record<string, string[]>[] }
