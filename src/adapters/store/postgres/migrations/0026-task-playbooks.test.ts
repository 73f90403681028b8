import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  storeExampleJob,
} from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0026 } from './0026-task-playbooks.ts'

it('gives the tasks of older jobs the exact playbook of their job', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const playbook = { name: 'best-of', hash: 'a'.repeat(64) }
  const approach = { type: 'run', playbook, inputs: { n: 4 }, cast: {} } as const
  const job = await storeExampleJob(store, { plan: { ...exampleJob().plan, approach } })
  const cycle = exampleCycle(job)
  const tasks = [exampleTask(cycle), exampleTask(cycle, { number: 2 })]
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll(tasks, exampleChange())
  })
  await sql`alter table tasks drop column playbook`.execute(database)
  await sql`alter table tasks add column playbook text`.execute(database)
  await sql`update tasks set playbook = 'best-of' where number = 1`.execute(database)
  await migration0026.up(database as unknown as Kysely<unknown>)

  const stored = await store.read.tasks.listOfCycle(cycle.id)
  expect(stored.map((task) => task.playbook)).toEqual([{ ...playbook, inputs: { n: 4 } }, undefined])
  await database.destroy()
})
