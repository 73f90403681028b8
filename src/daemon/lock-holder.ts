import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'

/** Who requests the lock. The home's id distinguishes homes with the same path on different machines. */
export type LockOwner = { readonly home: string; readonly homeId: string }

/** Who holds the lock, as far as the server knows. If it isn't Muster, only `since` is present. */
export type LockHolder = {
  readonly since: Date
  readonly homeId?: string
  readonly pid?: number
  readonly host?: string
  /** Only the end of the path if it was too long. */
  readonly home?: string
}

export function lockOwnerOf(home: string, id: string): LockOwner {
  return { home, homeId: createHash('sha256').update(`home:${id}`).digest('hex').slice(0, 8) }
}

/** PostgreSQL keeps this many bytes of an application name. */
const MAX_NAME = 63

/** The application name of the connection that holds the lock, which shows others who holds it. */
export function applicationNameOf(owner: LockOwner): string {
  const start = `muster ${owner.homeId} ${process.pid}@${hostname().slice(0, 20)} `
  const room = MAX_NAME - start.length
  // Other characters would be stored as several bytes.
  const home = owner.home.replaceAll(/[^ -~]/g, '?')
  return start + (home.length <= room ? home : `...${home.slice(home.length - room + 3)}`)
}

const NAME = /^muster ([0-9a-f]{8}) (\d+)@(\S+) (.+)$/

export async function readHolder(
  client: pg.Client,
  [namespace, key]: readonly [number, number],
): Promise<LockHolder> {
  const { rows } = await client.query<{ name: string | null; since: Date | null }>(
    `select activity.application_name as name, activity.backend_start as since
     from pg_locks as held join pg_stat_activity as activity on activity.pid = held.pid
     where held.locktype = 'advisory' and held.granted and held.classid = $1 and held.objid = $2
       and held.database = (select oid from pg_database where datname = current_database())`,
    [namespace, key],
  )
  const since = rows[0]?.since ?? new Date()
  const [, homeId, pid, host, home] = NAME.exec(rows[0]?.name ?? '') ?? []
  if (homeId === undefined || host === undefined || home === undefined) return { since }
  return { since, homeId, pid: Number(pid), host, home }
}

export function describeHolder(holder: LockHolder): string {
  const since = `since ${holder.since.toISOString()}`
  if (holder.home === undefined) return `connected ${since}`
  return `home ${holder.home}, pid ${holder.pid} on ${holder.host}, ${since}`
}
