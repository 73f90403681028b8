import type { Installation } from './compose.ts'
import type { HomeIdentity } from './home-identity.ts'

export type OwnershipFailure =
  | { readonly type: 'database-foreign'; readonly schema: string }
  | { readonly type: 'database-of-another-home'; readonly home: string; readonly since: Date }
  | { readonly type: 'home-of-another-database'; readonly home: string }

export type OwnershipVerdict =
  /** `isOther` if the home was used with another database before: what that one knows isn't in this one. */
  { readonly type: 'usable'; readonly isOther: boolean } | OwnershipFailure

type Facts = {
  readonly home: Pick<HomeIdentity, 'id' | 'copiedFrom' | 'database'> & { readonly directory: string }
  readonly installation: Installation
  readonly isEmbedded: boolean
  /** The person said explicitly that the home takes over this database. */
  readonly isAdopted: boolean
}

/** Whether a home may use a database. Two homes would end each other's sessions, as would two databases of one home. */
export function judgeOwnership({ home, installation, isEmbedded, isAdopted }: Facts): OwnershipVerdict {
  if (installation.type === 'foreign') return { type: 'database-foreign', schema: installation.schema }
  const isOther = isOtherDatabase(home, installation)
  if (isAdopted) return { type: 'usable', isOther }
  // A copied home contains a copy of the embedded database, which still names the original.
  const ids = [home.id, ...(isEmbedded && home.copiedFrom !== undefined ? [home.copiedFrom] : [])]
  if (installation.type === 'owned' && !ids.includes(installation.homeId)) {
    return { type: 'database-of-another-home', home: installation.home, since: installation.since }
  }
  return isOther ? { type: 'home-of-another-database', home: home.directory } : { type: 'usable', isOther }
}

function isOtherDatabase({ database }: Facts['home'], installation: Installation): boolean {
  switch (database.type) {
    case 'none':
      return false
    case 'unrecorded':
      // The version that didn't record it left its tables there, without an owner.
      return installation.type === 'none'
    case 'known':
      return installation.type !== 'owned' || installation.databaseId !== database.id
  }
}
