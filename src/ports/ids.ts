import type { Id, IdKind } from '../domain/id.ts'

/** Creates ids. Contract: never the same one twice; sortable by creation time. */
export interface Ids {
  next<Kind extends IdKind>(kind: Kind): Id<Kind>
}
