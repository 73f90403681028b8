import { type Kysely, sql } from 'kysely'

/** The tables of the first version. A state is a tagged JSON value. Its tag is also a column, for indexes. */
export const migration0001 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATE = `state jsonb not null, status text not null generated always as (state->>'type') stored,
  version integer not null default 1`

const STATEMENTS = [
  `create table projects (
    id text primary key, path text not null unique, name text not null, created_at timestamptz not null)`,

  `create table jobs (
    id text primary key, project_id text not null references projects, user_id text not null,
    repository_path text not null, base_branch text not null, base_commit text not null,
    working_branch text not null, request_document text not null, task_list text not null,
    plan jsonb not null, ${STATE}, current_cycle integer not null default 0,
    active_ms bigint not null default 0, running_since timestamptz, summary text, last_error text,
    error_count integer not null default 0, idempotency_key text unique,
    created_at timestamptz not null, updated_at timestamptz not null,
    started_at timestamptz, completed_at timestamptz)`,
  `create index jobs_open on jobs (id) where status in ('pending', 'running', 'paused')`,
  `create unique index jobs_branch on jobs (project_id, working_branch)
    where status in ('pending', 'running', 'paused')`,

  `create table cycles (
    id text primary key, job_id text not null references jobs, number integer not null, phase text not null,
    tasks_discovered integer not null default 0, tasks_launched integer not null default 0,
    tasks_completed integer not null default 0, tasks_failed integer not null default 0,
    summary text, version integer not null default 1,
    started_at timestamptz not null, completed_at timestamptz, unique (job_id, number))`,

  `create table tasks (
    id text primary key, job_id text not null references jobs, cycle_id text not null references cycles,
    cycle_number integer not null, number integer not null, description text not null, context text not null,
    files text[] not null, parallel boolean not null, priority text not null,
    success_criteria text[] not null, depends_on integer[] not null, agent text, branch text not null,
    ${STATE}, retry_count integer not null default 0, last_failure text, result_summary text,
    files_modified text[] not null, commits_made text[] not null,
    created_at timestamptz not null, started_at timestamptz, completed_at timestamptz,
    unique (cycle_id, number))`,
  `create index tasks_job on tasks (job_id, id)`,

  `create table attempts (
    id text primary key, job_id text not null references jobs, cycle_id text not null references cycles,
    task_id text references tasks, role text not null, number integer not null, agent jsonb not null,
    session_id text not null unique, ${STATE}, base_commit text, tip text,
    created_at timestamptz not null, ended_at timestamptz)`,
  // The schema guarantees one live attempt per task and per discovery.
  `create unique index attempts_live_task on attempts (task_id)
    where task_id is not null and status <> 'settled'`,
  `create unique index attempts_live_discovery on attempts (cycle_id)
    where task_id is null and status <> 'settled'`,
  `create unique index attempts_fence on attempts (task_id, number) where task_id is not null`,
  `create index attempts_unsettled on attempts (job_id) where status <> 'settled'`,
  `create index attempts_cycle on attempts (cycle_id)`,

  `create table sessions (
    id text primary key, job_id text not null references jobs, purpose jsonb not null,
    agent_name text not null, provider text not null, role text not null, ${STATE}, containment text,
    out_offset bigint not null default 0, err_offset bigint not null default 0, started_at timestamptz, deadline timestamptz,
    created_at timestamptz not null, ended_at timestamptz)`,
  `create index sessions_live on sessions (job_id) where status <> 'terminated'`,
  `create index sessions_job on sessions (job_id, id)`,

  `create table landings (
    id text primary key, job_id text not null references jobs, task_id text not null references tasks,
    attempt_id text not null unique references attempts, branch text not null, tip text not null,
    ${STATE}, checks jsonb not null, created_at timestamptz not null, ended_at timestamptz)`,
  // Only one landing of a job may be past the queue, so the branch can't move under a checked commit.
  `create unique index landings_one_at_a_time on landings (job_id) where status in ('checking', 'checked')`,
  `create index landings_job on landings (job_id, id)`,

  `create table streams (id text primary key, seq bigint not null)`,
  `create table events (
    stream_id text not null, seq bigint not null, position bigint generated always as identity,
    transaction_id xid8 not null default pg_current_xact_id(), type text not null, cycle integer,
    task_id text, attempt_id text, session_id text, data jsonb not null, at timestamptz not null default now(),
    primary key (stream_id, seq))`,
  `create index events_feed on events (transaction_id, position)`,
  `create index events_task on events (task_id, seq) where task_id is not null`,
  `create index events_session on events (session_id, seq) where session_id is not null`,

  `create table approvals (
    id text primary key, job_id text not null references jobs, attempt_id text references attempts,
    digest text not null, action jsonb not null, ${STATE},
    created_at timestamptz not null, expires_at timestamptz not null, decided_at timestamptz, decided_by text)`,
  `create table messages (
    id text primary key, job_id text not null references jobs, sender text not null, recipient text not null,
    subject text not null, body text not null, ${STATE}, created_at timestamptz not null)`,

  `create table audit_head (id integer primary key check (id = 1), seq bigint not null, hash text not null)`,
  `insert into audit_head values (1, 0, repeat('0', 64))`,
  `create table audit (
    seq bigint primary key, at timestamptz not null, actor text not null, action text not null,
    subject text not null, detail text not null, hash text not null)`,
  // Each row's hash covers the row and the hash before it. The lock on the head orders the chain.
  `create function append_audit(entries jsonb) returns void language plpgsql as $$
    declare head record; entry jsonb; stamp timestamptz := clock_timestamp(); line text;
    begin
      select seq, hash into head from audit_head where id = 1 for update;
      for entry in select * from jsonb_array_elements(entries) loop
        head.seq := head.seq + 1;
        line := concat_ws(chr(10), head.hash, head.seq, extract(epoch from stamp)::text, entry->>'actor',
          entry->>'action', entry->>'subject', entry->>'detail');
        head.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
        insert into audit values (head.seq, stamp, entry->>'actor', entry->>'action', entry->>'subject',
          entry->>'detail', head.hash);
      end loop;
      update audit_head set seq = head.seq, hash = head.hash where id = 1;
    end $$`,
]
