import { type Kysely, sql } from 'kysely'

/**
 * Stores what an approval is about as data instead of a sentence: a tool use, or a landing with its tasks. A reason
 * that a person didn't give is absent. Adds the rules that a decision may leave behind.
 */
export const migration0018 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

/** The tasks in a title such as "t1-1 Parse weeks; t2-3 Print weeks"; older versions named tasks as 1.2. */
const TASKS = `(
  select coalesce(jsonb_agg(jsonb_build_object('name', regexp_replace(part[1], '^(\\d+)\\.', 't\\1-'), 'title', part[2])
    order by place), '[]')
  from regexp_split_to_table(%action%->>'reason', '; (?=(?:t\\d+-\\d+|\\d+\\.\\d+) )') with ordinality as title(text, place)
  cross join regexp_match(title.text, '^(t\\d+-\\d+|\\d+\\.\\d+) (.*)$') as part
  where part is not null)`

function landingOf(action: string): string {
  const input = `${action}->'input'`
  return `jsonb_strip_nulls(jsonb_build_object(
    'type', 'landing', 'tasks', ${TASKS.replace('%action%', action)},
    'base', substring(${action}->>'reason' from '^new commits on (.*)$'),
    'branch', coalesce(${input}->>'branch', ''), 'onto', coalesce(${input}->>'onto', ''),
    'commit', coalesce(${input}->>'commit', ''), 'tree', coalesce(${input}->>'tree', ''),
    'landingIds', coalesce(${input}->'landingIds', '[]'), 'unusual', ${input}->'unusual',
    'diff', case when ${input} ? 'patch' then jsonb_strip_nulls(jsonb_build_object(
      'files', ${input}->'files', 'patch', ${input}->'patch', 'isCut', ${input}->'isCut',
      'problem', ${input}->'problem')) end,
    'directory', ${action}->>'directory'))`
}

const DEFAULTS = `('cancelled by a person', 'stopped by a person', 'suspended by a person', 'denied by a person')`

const STATEMENTS = [
  `update approvals set action = ${landingOf('action')} where action->>'tool' = 'land' and not action ? 'type'`,
  `update approvals set action = jsonb_build_object('type', 'tool-use') || action where not action ? 'type'`,
  `update events set data = data || jsonb_build_object('action', ${landingOf("(data->'action')")})
    where type = 'approval_requested' and data->'action'->>'tool' = 'land' and not data->'action' ? 'type'`,
  `update events set data = jsonb_set(data, '{action,type}', '"tool-use"')
    where type = 'approval_requested' and not data->'action' ? 'type'`,

  `update approvals set state = state - 'reason' where state->>'reason' in ${DEFAULTS}`,
  `update events set data = data #- '{decision,reason}'
    where type = 'approval_decided' and data->'decision'->>'reason' in ${DEFAULTS}`,
  `update jobs set state = state - 'reason' where state->>'type' = 'cancelled' and state->>'reason' in ${DEFAULTS}`,
  `update events set data = data - 'reason' where type in ('job_cancelled', 'session_suspended')
    and data->>'reason' in ${DEFAULTS}`,
  `update sessions set state = state #- '{why,reason}' where state->'why'->>'reason' in ${DEFAULTS}`,
  `update sessions set state = state #- '{end,reason}' where state->'end'->>'reason' in ${DEFAULTS}`,
  `update events set data = data #- '{end,reason}'
    where type = 'session_ended' and data->'end'->>'reason' in ${DEFAULTS}`,
  `update tasks set state = jsonb_set(state, '{reason}', '"the job was cancelled"')
    where state->>'reason' = 'cancelled by a person'`,
  `update landings set state = jsonb_set(state, '{reason}', '"the job was cancelled"')
    where state->>'reason' = 'cancelled by a person'`,

  `create table approval_rules (
    id text primary key, approval_id text not null references approvals, job_id text references jobs,
    session_id text references sessions, match jsonb not null, created_by text not null,
    created_at timestamptz not null, revoked_by text, revoked_at timestamptz, version integer not null default 1)`,
  `create index approval_rules_job on approval_rules (job_id, (match->>'digest')) where revoked_at is null`,
  `create index approval_rules_session on approval_rules (session_id) where revoked_at is null`,
]
