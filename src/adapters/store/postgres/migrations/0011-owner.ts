import { type Kysely, sql } from 'kysely'

/** Adds the row that says which home owns the database, and under which number its daemon does. */
export const migration0011 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table owner (
    id integer primary key check (id = 1), database_id text, home_id text, home text,
    number bigint not null default 0, since timestamptz)`,
  'insert into owner (id) values (1)',
  // The lock lets transactions of one owner run side by side, but makes the next owner wait for all of them.
  `create function require_owner(wanted_database text, wanted_number bigint) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(1297437524, 2);
      if not exists (select from muster.owner where database_id = wanted_database and number = wanted_number) then
        raise exception 'this daemon no longer owns the database' using errcode = 'MU001';
      end if;
    end $$`,
]
