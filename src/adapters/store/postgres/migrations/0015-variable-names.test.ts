import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { storeExampleJob } from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0015 } from './0015-variable-names.ts'

const SECRET = 'glpat-not-to-be-stored'

it('keeps the names of variables and removes their values from jobs, attempts and sessions', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const job = await storeExampleJob(store)
  const agent = { name: 'mine', provider: 'command', roles: ['worker'], env: { TOKEN: SECRET, LEVEL: '2' } }
  const plain = { ...agent, name: 'plain', env: {} }
  const done = { ...agent, name: 'done', env: ['KEPT'] }
  const plan = JSON.stringify({ ...job.plan, agents: [agent, plain, done] })
  await sql`update jobs set plan = ${plan}::jsonb`.execute(database)
  await sql`insert into attempts (id, job_id, purpose, role, number, agent, session_id, state, handoffs, created_at)
    values ('att_1', ${job.id}, '{"type":"x"}', 'worker', 1, ${JSON.stringify(agent)}::jsonb, 'ses_1', '{"type":"ended"}',
    '[]', now())`.execute(database)
  await sql`insert into sessions (id, job_id, purpose, agent_name, provider, role, mode, state, process_number, created_at)
    values ('ses_1', ${job.id}, ${JSON.stringify({ type: 'query', agent })}::jsonb, 'mine', 'command', 'worker',
    'headless', '{"type":"running"}', 1, now())`.execute(database)
  await migration0015.up(database as unknown as Kysely<unknown>)
  await migration0015.up(database as unknown as Kysely<unknown>)

  const rows = await sql<{ envs: string[][]; attempt: string[]; session: string[]; all: string }>`
    select (select jsonb_agg(a->'env') from jsonb_array_elements(plan->'agents') as a) as envs,
      (select agent->'env' from attempts) as attempt, (select purpose->'agent'->'env' from sessions) as session,
      concat(plan::text, (select agent::text from attempts), (select purpose::text from sessions)) as all
    from jobs`.execute(database)
  const [row] = rows.rows
  expect(row?.envs.map((names) => names.toSorted())).toEqual([['LEVEL', 'TOKEN'], [], ['KEPT']])
  expect(row?.attempt.toSorted()).toEqual(['LEVEL', 'TOKEN'])
  expect(row?.session.toSorted()).toEqual(['LEVEL', 'TOKEN'])
  expect(row?.all).not.toContain(SECRET)
  await database.destroy()
})
