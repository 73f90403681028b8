import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  exampleChange,
  exampleSession,
  ids,
  storeExampleJob,
} from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0018 } from './0018-approval-actions.ts'

const landing = (reason: string) => ({
  tool: 'land',
  reason,
  directory: '/srv',
  input: {
    ...{ branch: 'b', onto: 'o', commit: 'c', tree: 't', landingIds: ['lnd_1'] },
    ...{ files: [], patch: '+a', isCut: false },
  },
})

it('turns the sentences that older versions stored into data', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const job = await storeExampleJob(store)
  const stopped = {
    ...exampleSession(job),
    state: { type: 'terminated', end: { type: 'cancelled' } },
  } as const
  await store.transact((records) => records.sessions.insert(stopped, exampleChange()))
  await sql`update sessions set state = jsonb_set(state, '{end,reason}', '"stopped by a person"')`.execute(
    database,
  )
  await sql`drop table approval_rules`.execute(database)
  const actions = [
    landing('t1-1 Parse weeks; and days; 2.3 Print weeks'),
    landing('new commits on main'),
    { tool: 'Bash', input: { command: 'ls' }, directory: '/' },
  ]
  const stored = actions.map((action) => ({ id: ids.next('approval'), action }))
  for (const { id, action } of stored) {
    const state = { type: 'denied', by: 'ada', reason: 'denied by a person' }
    await sql`insert into approvals (id, job_id, asker, digest, action, state, version, created_at, expires_at)
      values (${id}, ${job.id}, ${JSON.stringify({ type: 'candidate', candidateId: id })}::jsonb, 'd',
        ${JSON.stringify(action)}::jsonb, ${JSON.stringify(state)}::jsonb, 1, now(), now())`.execute(database)
  }
  await migration0018.up(database as unknown as Kysely<unknown>)

  const found = await Promise.all(stored.map(({ id }) => store.read.approvals.find(id)))
  const exact = { branch: 'b', onto: 'o', commit: 'c', tree: 't', landingIds: ['lnd_1'], directory: '/srv' }
  const diff = { files: [], patch: '+a', isCut: false }
  expect(found.map((approval) => approval?.action)).toEqual([
    {
      type: 'landing',
      tasks: [
        { name: 't1-1', title: 'Parse weeks; and days' },
        { name: 't2-3', title: 'Print weeks' },
      ],
      ...exact,
      diff,
    },
    { type: 'landing', tasks: [], base: 'main', ...exact, diff },
    { type: 'tool-use', tool: 'Bash', input: { command: 'ls' }, directory: '/' },
  ])
  expect(found[0]?.state).toEqual({ type: 'denied', by: 'ada' })
  expect((await store.read.sessions.find(stopped.id))?.state).toEqual(stopped.state)
  await database.destroy()
})
