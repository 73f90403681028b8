import { type Kysely, sql } from 'kysely'

/** Keeps only the names of agents' own variables. Their values are read from the configuration when a program starts. */
export const migration0015 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const namesIn = (env: string) =>
  `(select coalesce(jsonb_agg(name), '[]') from jsonb_object_keys(${env}) as name)`

const STATEMENTS = [
  `update attempts set agent = jsonb_set(agent, '{env}', ${namesIn("agent->'env'")})
    where jsonb_typeof(agent->'env') = 'object'`,
  `update sessions set purpose = jsonb_set(purpose, '{agent,env}', ${namesIn("purpose->'agent'->'env'")})
    where jsonb_typeof(purpose->'agent'->'env') = 'object'`,
  `update jobs set plan = jsonb_set(plan, '{agents}', (
    select coalesce(jsonb_agg(
      case when jsonb_typeof(agent->'env') = 'object'
        then jsonb_set(agent, '{env}', ${namesIn("agent->'env'")}) else agent end
      order by number), '[]')
    from jsonb_array_elements(plan->'agents') with ordinality as agents (agent, number)))
    where jsonb_typeof(plan->'agents') = 'array'`,
]
