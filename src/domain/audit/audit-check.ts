/** One way in which the chain doesn't match what was recorded. */
export type AuditBreak =
  /** The row doesn't match its own hash, or doesn't continue the row before it. */
  | { readonly type: 'row-changed'; readonly seq: number }
  | { readonly type: 'rows-missing'; readonly from: number; readonly to: number }
  /** The chain ends before a row that the home remembers. */
  | { readonly type: 'tail-cut'; readonly from: number; readonly to: number }
  /** The row isn't the one that was remembered under its number, in the home or in the database. */
  | { readonly type: 'row-replaced'; readonly seq: number }
  /** The log has rows, but the home doesn't remember the last one, so nothing shows whether the end was cut off. */
  | { readonly type: 'head-missing' }
  /** Rows that a person accepted as they were have changed since. */
  | { readonly type: 'accepted-changed'; readonly to: number }

/** What is known about the audit chain. */
export type AuditCheck =
  | { readonly type: 'checking' }
  | { readonly type: 'intact'; readonly rows: number; readonly checkedAt: Date }
  | {
      readonly type: 'broken'
      readonly rows: number
      readonly checkedAt: Date
      /** The first of them; there may be more. */
      readonly breaks: readonly AuditBreak[]
    }

/** The first breaks tell a person where to look; thousands more would tell nothing new. */
export const SHOWN_BREAKS = 100
