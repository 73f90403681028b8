import { failure, type Result, success } from '../domain/result.ts'
import type { Log } from '../ports/log.ts'
import { migrateDatabase, type Ownership, readInstallation, takeOwnership } from './compose.ts'
import type { DaemonFailure } from './daemon-failure.ts'
import { type Home, openHome } from './home-files.ts'
import { type HomeIdentity, saveIdentity } from './home-identity.ts'
import { judgeOwnership } from './judge-ownership.ts'
import type { PostgresConnection } from './postgres/postgres-server.ts'
import { setAside } from './set-aside.ts'

type Needs = { readonly log: Log; readonly home: Home; readonly identity: HomeIdentity }

/** Sessions and trees that another database knows about. In this one they would look like leftovers. */
const OF_ANOTHER_DATABASE = ['hosts', 'terminals', 'trees']

/**
 * Makes this home the owner of its database and gives this daemon its number. If home and database don't belong
 * together, nothing is changed in either. The caller holds the lock on both.
 */
export async function ownDatabase(
  { log, home, identity }: Needs,
  database: {
    readonly connection: PostgresConnection
    readonly isEmbedded: boolean
    readonly isAdopted: boolean
  },
): Promise<Result<Ownership, DaemonFailure>> {
  try {
    return await own({ log, home, identity }, database)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return failure({ type: 'lock-unavailable', problem: error.message })
  }
}

async function own(
  { log, home, identity }: Needs,
  { connection, isEmbedded, isAdopted }: Parameters<typeof ownDatabase>[1],
): Promise<Result<Ownership, DaemonFailure>> {
  const installation = await readInstallation({ ...connection })
  const { directory } = home
  const verdict = judgeOwnership({
    home: { ...identity, directory },
    installation,
    isEmbedded,
    isAdopted,
  })
  if (verdict.type !== 'usable') return failure(verdict)
  if (verdict.isOther) {
    log.warn({ parts: OF_ANOTHER_DATABASE }, 'the home gets another database; parts of it are set aside')
    await setAside(directory, OF_ANOTHER_DATABASE)
    await openHome(directory)
  }
  const migrated = await migrateDatabase({ ...connection })
  if (!migrated.ok) return failure({ type: 'migration', failure: migrated.failure })
  const ownership = await takeOwnership({ ...connection }, { homeId: identity.id, home: identity.place.path })
  await saveIdentity(home, { ...identity, database: { type: 'known', id: ownership.databaseId } })
  return success(ownership)
}
