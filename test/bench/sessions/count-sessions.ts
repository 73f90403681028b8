import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const LIMIT_MS = 180_000
const LOOK_MS = 100

/** Waits until this many sessions have a status. Asks the database, to put no load on the daemon. */
export async function untilCounted(connection: object, status: string, count: number): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const deadline = performance.now() + LIMIT_MS
  let seen = -1
  while (seen !== count) {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from muster.sessions where status = $1',
      [status],
    )
    seen = rows[0]?.count ?? 0
    if (performance.now() > deadline) throw new Error(`${seen} of ${count} sessions are ${status}`)
    await sleep(LOOK_MS)
  }
  await client.end()
}
