import pg from 'pg'
import { steadily } from './steadily.ts'

const EVERY_MS = 50
const SECONDS = 10

/**
 * The processor time per row of a process that only inserts as many rows per second into the same database, in twenty
 * batches per second.
 */
export async function insertCost(connection: object, rowsASecond: number): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create table if not exists bench_rows (like muster.events including all)')
  const batch = (rowsASecond * EVERY_MS) / 1000
  const before = process.cpuUsage()
  const rounds = (SECONDS * 1000) / EVERY_MS
  await steadily(EVERY_MS, rounds, async (round) => {
    const numbers = Array.from({ length: batch }, (_, index) => round * batch + index)
    await client.query(
      `insert into bench_rows (stream_id, seq, type, session_id, data)
       select 'bench', n, 'agent_message', 'ses_bench', d from unnest($1::bigint[], $2::jsonb[]) as rows (n, d)`,
      [
        numbers,
        numbers.map((number) => JSON.stringify({ type: 'text', text: `line ${number} ${Date.now()}` })),
      ],
    )
  })
  const { user, system } = process.cpuUsage(before)
  await client.query('drop table bench_rows')
  await client.end()
  return (user + system) / (batch * rounds)
}
