import type { Change } from './change.ts'

/** One guarded part that the person trusted, without its value, which may be a key. */
export type TrustedPart = {
  /** Without its place in a list, such as `checks[]`. */
  readonly field: string
  readonly digest: string
}

/** The person's word on one repository: the guarded parts with this digest may take effect. */
export type TrustedConfiguration = {
  /** The real path of the repository's checkout. */
  readonly path: string
  /** Of all parts together. */
  readonly digest: string
  /** Absent in rows of earlier versions. */
  readonly parts?: readonly TrustedPart[]
  readonly trustedAt: Date
}

/** Contract: one row for each repository. Saving replaces the row, so what was trusted before no longer is. */
export interface TrustRecords {
  find(path: string): Promise<TrustedConfiguration | undefined>
  /** Sorted by path. */
  list(): Promise<readonly TrustedConfiguration[]>
  save(trusted: TrustedConfiguration, change: Change): Promise<void>
  /** Returns whether there was a row. */
  remove(path: string, change: Change): Promise<boolean>
}
