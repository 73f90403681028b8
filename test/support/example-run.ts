import type { AgentTool } from '../../src/domain/message/agent-tool.ts'
import type { Playbook } from '../../src/domain/playbook/playbook.ts'
import type { Run } from '../../src/domain/run/run.ts'
import type { Session } from '../../src/domain/session/session.ts'
import { withoutUndefined } from '../../src/domain/without-undefined.ts'
import type { Store } from '../../src/ports/store/store.ts'
import {
  type ExampleTask,
  exampleAttempt,
  exampleChange,
  exampleSession,
  exampleVisit,
  ids,
} from './example-records.ts'

const ROLE = { mode: 'read', prompt: './role.md', agents: ['worker'], isSpread: false }

type Tools = { readonly tools?: readonly AgentTool[] }
/** What is special about the roles and the stage `review`. */
type Reviewing = { readonly role?: Tools; readonly stage?: Tools }

/** Stores a run of a playbook that has these roles, and the stage `review` of the role `reviewer`. */
export async function storeExampleRun(
  store: Store,
  { job, task }: ExampleTask,
  roles: readonly string[],
  reviewing: Reviewing = {},
): Promise<Run> {
  const playbook = {
    roles: Object.fromEntries(roles.map((role) => [role, { ...ROLE, ...reviewing.role }])),
    stages: { review: { type: 'role', role: 'reviewer', ...reviewing.stage } },
  }
  const hash = ids.next('run')
  const run: Run = {
    id: ids.next('run'),
    jobId: job.id,
    taskId: task.id,
    playbook: { name: 'example', hash },
    goal: 'make it better',
    inputs: {},
    cast: {},
    baseCommit: job.baseCommit,
    counters: {},
    state: { type: 'running' },
    recoveries: 0,
    activeMs: 0,
    version: 1,
    createdAt: new Date(),
  }
  await store.transact(async (records) => {
    await records.pinnedPlaybooks.pin({
      hash,
      name: 'example',
      playbook: playbook as unknown as Playbook,
      files: {},
    })
    await records.runs.insert(run, exampleChange())
  })
  return run
}

/** Stores a running session that makes a visit of a run; of this stage, the visit is stored too. */
export async function storeVisitSession(
  store: Store,
  { job, task }: ExampleTask,
  run: Run,
  role: string,
  { stage, ...overrides }: Partial<Session> & { readonly stage?: string } = {},
): Promise<Session> {
  const attemptId = ids.next('attempt')
  const visit = exampleVisit({ id: ids.next('visit'), runId: run.id, ...withoutUndefined({ stage }) })
  const session = exampleSession(job, { purpose: { type: 'attempt', attemptId }, role, ...overrides })
  const purpose = {
    type: 'visit',
    taskId: task.id,
    runId: run.id,
    visitId: visit.id,
    makesWork: false,
    judges: false,
  } as const
  await store.transact(async (records) => {
    if (stage !== undefined) await records.visits.insertAll([visit], exampleChange())
    await records.attempts.insert(
      exampleAttempt(job, { id: attemptId, purpose, role, sessionId: session.id }),
      exampleChange(),
    )
    await records.sessions.insert(session, exampleChange())
  })
  return session
}
