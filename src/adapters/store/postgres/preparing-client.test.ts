import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { openDatabase } from './open-database.ts'
import { PreparingClient } from './preparing-client.ts'

let client: pg.Client

beforeAll(async () => {
  client = new PreparingClient({ ...(await createTestDatabase()) })
  await client.connect()
})

afterAll(() => client.end())

async function preparedStatements(): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement)
}

it('prepares a statement with parameters once and uses it again', async () => {
  const text = 'select $1::int + 1 as next'
  for (const value of [1, 2, 3])
    expect((await client.query(text, [value])).rows).toEqual([{ next: value + 1 }])
  expect(await preparedStatements()).toEqual([text])
})

it('leaves statements without parameters alone', async () => {
  const before = await preparedStatements()
  await client.query('begin')
  await client.query('select 1')
  await client.query('commit')
  expect(await preparedStatements()).toEqual(before)
})

it('fails once when a table has changed, and then no longer prepares', async () => {
  await client.query('create table changing (id int)')
  const read = () => client.query('select * from changing where id = $1', [1])
  await read()
  await client.query('alter table changing add column name text')
  await expect(read()).rejects.toThrow('cached plan must not change result type')
  expect((await read()).rows).toEqual([])
})

it('stops naming statements before they fill the memory of the server', async () => {
  const list = (length: number) => Array.from({ length }, (_, index) => index)
  for (let length = 1; length <= 450; length += 1) {
    const places = list(length).map((index) => `$${index + 1}::int`)
    const counted = await client.query(
      `select cardinality(array[${places.join(', ')}]) as count`,
      list(length),
    )
    expect(counted.rows).toEqual([{ count: length }])
  }
  expect((await preparedStatements()).length).toBeLessThanOrEqual(400)
})

it('reports a connection that cannot be opened, so that the database can be restarted', async () => {
  const errors: Error[] = []
  const database = openDatabase({ host: '/nowhere', database: 'none' }, (error) => errors.push(error))
  await expect(sql`select 1`.execute(database)).rejects.toThrow('ENOENT')
  expect(errors).toMatchObject([{ code: 'ENOENT' }])
  await database.destroy()
})
