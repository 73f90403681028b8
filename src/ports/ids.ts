import type { Id, IdKind } from '../domain/id.ts'

/** Makes ids. Contract: never the same twice, sortable by time of making. */
export interface Ids {
  next<Kind extends IdKind>(kind: Kind): Id<Kind>
}
