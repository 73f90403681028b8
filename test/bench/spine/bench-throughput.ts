import pg from 'pg'
import { agentText } from '../../support/agent-output.ts'
import type { TestHome } from '../../support/test-daemon.ts'
import { report } from '../figures.ts'
import { connectionOf } from './database-of.ts'
import { oneTaskProject, startJob } from './one-task-project.ts'

const LINES = 200_000
const FLOOR_ROWS = 100_000
const BATCH = 1000

/** Measures how fast the lines of one agent are stored and reach a client. The floor is plain batched inserts. */
export async function benchThroughput(home: TestHome): Promise<void> {
  await using repository = await oneTaskProject(`seq -f 'a line of ordinary length, number %.0f' ${LINES}`)
  await using daemon = await home.start()
  const floor = await rawInsertRate(home)
  const jobId = await startJob(daemon, repository)
  let first = 0
  let last = 0
  let count = 0
  for await (const event of daemon.client.follow(jobId)) {
    const text = agentText(event)
    if (!text.startsWith('a line of')) continue
    last = performance.now()
    if (count === 0) first = last
    count += 1
  }
  if (count !== LINES) throw new Error(`${count} of ${LINES} lines were delivered`)
  const rate = (count / (last - first)) * 1000
  report({
    what: 'events stored and delivered',
    figure: `${Math.round(rate)} a second = ${(rate / floor).toFixed(2)} floors`,
    floor: `${Math.round(floor)} rows a second`,
    aim: 'half the floor',
    isMet: rate >= floor / 2,
  })
}

async function rawInsertRate(home: TestHome): Promise<number> {
  const client = new pg.Client(await connectionOf(home))
  await client.connect()
  await client.query('create table if not exists bench_rows (like muster.events including all)')
  const before = performance.now()
  for (let row = 0; row < FLOOR_ROWS; row += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => row + index)
    await client.query(
      `insert into bench_rows (stream_id, seq, type, session_id, data)
       select 'bench', n, 'agent_message', 'ses_bench', d from unnest($1::bigint[], $2::jsonb[]) as rows (n, d)`,
      [
        numbers,
        numbers.map((number) =>
          JSON.stringify({ type: 'text', text: `a line of ordinary length, number ${number}` }),
        ),
      ],
    )
  }
  const rate = (FLOOR_ROWS / (performance.now() - before)) * 1000
  await client.query('drop table bench_rows')
  await client.end()
  return rate
}
