import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import type { AttemptId, SessionId } from '../../../../domain/id.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0001 } from './0001-spine.ts'
import { migration0002 } from './0002-conversations.ts'
import { migration0003 } from './0003-messages.ts'
import { migration0004 } from './0004-merge-queue.ts'
import { migration0006 } from './0006-purposes.ts'
import { migration0009 } from './0009-plain-names.ts'

const ROWS = [
  `insert into projects values ('prj_1', '/nowhere', 'nowhere', now())`,
  `insert into jobs (id, project_id, user_id, repository_path, base_branch, base_commit, working_branch,
    request_document, task_list, plan, state, created_at, updated_at)
    values ('job_1', 'prj_1', 'ada', '/nowhere', 'main', 'c', 'b', '', '', '{}', '{"type":"running"}', now(), now())`,
  `insert into cycles (id, job_id, number, phase, started_at) values ('cyc_1', 'job_1', 1, 'execution', now())`,
  `insert into tasks (id, job_id, cycle_id, cycle_number, number, description, context, files, parallel, priority,
    success_criteria, depends_on, branch, state, files_modified, commits_made, created_at)
    values ('tsk_1', 'job_1', 'cyc_1', 1, 1, '', '', '{}', true, 'P1', '{}', '{}', 'b', '{"type":"pending"}',
    '{}', '{}', now())`,
  ...[
    ['att_1', 'null', 'planner', 'ses_1'],
    ['att_2', `'tsk_1'`, 'worker', 'ses_2'],
    ['att_3', `'tsk_1'`, 'reviewer', 'ses_3'],
  ].map(
    ([id, task, role, session]) => `insert into attempts (id, job_id, cycle_id, task_id, role, number, agent,
      session_id, state, created_at) values ('${id}', 'job_1', 'cyc_1', ${task}, '${role}', 1, '{}', '${session}',
      '{"type":"settled","outcome":{"type":"accepted"}}', now())`,
  ),
  ...[
    ['ses_4', '{"type":"standing","branch":"mine"}', 'ada'],
    ['ses_5', '{"type":"check","candidateId":"cnd_1","index":0,"isFresh":true}', 'npm test'],
  ].map(
    ([id, purpose, agent]) => `insert into sessions (id, job_id, purpose, agent_name, provider, role, state,
      created_at) values ('${id}', 'job_1', '${purpose}', '${agent}', 'command', 'worker', '{"type":"starting"}', now())`,
  ),
]

it('adds the purpose of attempts and sessions that an older version stored', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const untyped = database as unknown as Kysely<unknown>
  await sql.raw('drop schema muster cascade; create schema muster').execute(database)
  for (const migration of [migration0001, migration0002, migration0003, migration0004]) {
    await migration.up(untyped)
  }
  for (const row of ROWS) await sql.raw(row).execute(database)
  await migration0006.up(untyped)
  await migration0009.up(untyped)
  const { read } = createPostgresStore({ database, sendWork: async () => () => undefined })
  const attempts = ['att_1', 'att_2', 'att_3'].map((id) => read.attempts.find(id as AttemptId))
  expect((await Promise.all(attempts)).map((attempt) => attempt?.purpose)).toEqual([
    { type: 'discovery', cycleId: 'cyc_1' },
    { type: 'task', taskId: 'tsk_1' },
    { type: 'review', taskId: 'tsk_1' },
  ])
  const sessions = ['ses_4', 'ses_5'].map((id) => read.sessions.find(id as SessionId))
  expect((await Promise.all(sessions)).map((session) => session?.purpose)).toMatchObject([
    { type: 'personal', branch: 'mine' },
    { type: 'check', command: 'npm test', isFresh: true },
  ])
  await database.destroy()
})
