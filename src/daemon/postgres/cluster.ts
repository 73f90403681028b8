import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresPlaces } from './postgres-places.ts'
import type { RunnableBinaries } from './runnable-binaries.ts'

/** One database on disk and what is needed to run it. */
export type Cluster = {
  readonly account: PostgresAccount
  readonly binaries: RunnableBinaries
  readonly places: PostgresPlaces
  readonly socketDirectory: string
}
