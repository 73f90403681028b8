import type { IdLengths, NamedKind } from '../../domain/short-id.ts'

/** A record as people name it. */
export type NamedRecord = {
  readonly kind: NamedKind
  readonly id: string
  /** What the record is about, as stored: a goal, a description, a subject. Empty if its kind has no such text. */
  readonly text: string
  /** The person's checkout, of jobs and tasks. */
  readonly repositoryPath?: string
  /** The job and place of a task. */
  readonly task?: { readonly jobId: string; readonly cycleNumber: number; readonly number: number }
}

/** What to look for. Both may be given; then either is enough. */
export type NameSearch = {
  /** The start of an id, or of its random part, without the prefix. */
  readonly idPart?: string
  /** A part of the text, in any case; an empty one is in every text. */
  readonly textPart?: string
}

/** Contract: only reads. Everything is found, however old; records with a matching id come first, then the newest. */
export interface NameRecords {
  /** How many random characters of an id tell all records of its kind apart now. */
  lengths(): Promise<IdLengths>
  find(kind: NamedKind, search: NameSearch, limit: number): Promise<readonly NamedRecord[]>
}
