import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHostTrial } from '../../../test/support/hosts/host-trial.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import { startModelServer } from '../../../test/support/model-server/model-server.ts'
import { NO_ASSIGNMENTS } from '../../../test/support/no-assignments.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import { decideStart } from '../admission/decide-starts.ts'
import { attemptWaiter } from '../admission/start-waiter.ts'
import { wakeWaiting } from '../admission/wake-waiting.ts'
import type { Assignment } from '../assignment.ts'
import { taskOf } from '../attempts/attempt-task.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import { readAnswer } from '../attempts/read-answer.ts'
import { settleAttempt, settleOnce } from '../attempts/settle-attempt.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { SessionTails } from '../sessions/listen/session-tails.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import { startSession } from '../sessions/start/start-session.ts'
import { createAssignments } from './assignments.ts'

/** A role and what it is asked to do, as a file could define them. The engine has never heard of its name. */
const HISTORIAN = {
  name: 'historian',
  mode: 'read',
  startPatienceMs: 60_000,
  prompt: 'Tell the story of: {task}',
  answer: { type: 'object', properties: { story: { type: 'string' } }, required: ['story'] },
} as const

/** Answers with its prompt and its role, or doesn't answer about a secret. */
const TELL = `
prompt=$(cat "$MUSTER_PROMPT_FILE")
case $prompt in *secret*) exit 0 ;; esac
printf '{"type":"result","story":"%s, by a %s"}\n' "$prompt" "$MUSTER_ROLE"
`

type Needs = Parameters<typeof startSession>[0] & JobTrial['needs']

const parts = new AsyncDisposableStack()
const answers: unknown[] = []
let trial: JobTrial
let needs: Needs
let job: Job
let tasks: readonly Task[]

function assignmentFrom(data: typeof HISTORIAN): Assignment {
  const { mode, startPatienceMs, answer: schema } = data
  const [field] = schema.required
  return {
    mode,
    startPatienceMs,
    answer: schema,
    prompt: async (_, attempt) => data.prompt.replace('{task}', (await taskOf(needs, attempt)).description),
    async settle(_, attempt) {
      const answer = (await readAnswer(needs, attempt)) as Readonly<Record<string, unknown>> | undefined
      const outcome =
        answer?.[field] === undefined
          ? ({ type: 'rejected', reason: `there was no ${field}` } as const)
          : ({ type: 'accepted' } as const)
      answers.push(answer?.[field])
      await settleOnce(needs, attempt, (records, __, current) => storeOutcome(records, current, outcome))
    },
  }
}

beforeAll(async () => {
  trial = parts.use(await openJobTrial())
  const { host } = parts.use(await createHostTrial())
  const hub = trial.needs as JobTrial['needs'] & Pick<EngineNeeds, 'trees'>
  const builtIn = createAssignments({ ...hub, host })
  needs = {
    ...hub,
    host,
    terminals: {} as EngineNeeds['terminals'],
    assignments: {
      find: async (attempt) =>
        attempt.role === HISTORIAN.name ? assignmentFrom(HISTORIAN) : await builtIn.find(attempt),
    },
    adoptSession: (sessionId) => tails.adopt(sessionId),
  }
  const tails = parts.use(
    new SessionTails({
      ...needs,
      outboxes: { adopt: () => undefined, collect: () => Promise.resolve(), release: () => undefined },
      adoptTerminal: () => undefined,
    }),
  )
  const hera = { name: 'hera', provider: 'command', roles: [], env: [], command: ['/bin/sh', '-c', TELL] }
  const service = parts.use(await startModelServer())
  const homer = {
    name: 'homer',
    provider: 'model',
    roles: [],
    env: [],
    modelSource: { provider: 'scripted', model: 'm', baseUrl: `${service.url}/v1` },
  } as const
  trial.configuration = {
    ...trial.configuration,
    agents: [...trial.configuration.agents, hera, homer],
    roles: { [HISTORIAN.name]: { agents: [hera.name, homer.name], maxParallel: 1 } },
  }
})

afterAll(() => parts.disposeAsync())

beforeEach(async () => {
  trial.now = new Date()
  job = await trial.start()
  await advanceJob(needs, job.id)
  await settleAll(needs.store, job.id)
  await planTasks(needs.store, job, [{ description: 'a tree' }, { description: 'a secret' }])
  tasks = await needs.store.read.tasks.listOfJob(job.id)
  trial.sent.length = 0
  answers.length = 0
})

/** Asks for an attempt at one of the tasks in the new role. */
async function ask(index: number, by = 'hera'): Promise<Attempt> {
  const task = tasks[index]
  const agent = job.plan.agents.find(({ name }) => name === by)
  if (task === undefined || agent === undefined) throw new Error('there is no such task or agent')
  const attempt = newAttempt(needs, {
    job,
    purpose: { type: 'review', taskId: task.id },
    role: HISTORIAN.name,
    number: 1,
    agent,
    head: job.baseCommit,
  })
  const waits = { id: attempt.sessionId, priority: task.priority, since: trial.now, isResume: false }
  await needs.store.transact(async (records) => {
    const admission = await decideStart(needs, records, attemptWaiter(job, attempt, waits))
    await insertAttempt(needs, records, { attempt, admission })
  })
  return attempt
}

const session = async ({ sessionId }: Attempt) => {
  const found = await needs.store.read.sessions.find(sessionId)
  if (found === undefined) throw new Error(`no session ${sessionId}`)
  return found
}
const stateOf = async ({ id }: Attempt) => (await needs.store.read.attempts.find(id))?.state

/** Starts the program, and waits until its end is stored. */
async function run(attempt: Attempt): Promise<void> {
  await startSession(needs, attempt.sessionId)
  const settle = { type: 'attempt-settle', attemptId: attempt.id }
  await expect.poll(() => trial.sent, { timeout: 20_000 }).toContainEqual(settle)
}

describe('an assignment that is made from data', () => {
  it('is admitted, prompted, started and settled like those of a job itself', async () => {
    const first = await ask(0)
    const second = await ask(1)
    expect(await session(first)).toMatchObject({ role: 'historian', state: { type: 'starting' } })
    expect(await session(second)).toMatchObject({ state: { type: 'waiting', limit: 'role', value: 1 } })
    expect(await planOf(await session(first)).findWorkplace(needs)).toMatchObject({ isReadOnly: true })

    await run(first)
    await settleAttempt(needs, first.id)
    expect(answers).toEqual(['Tell the story of: a tree, by a historian'])
    expect(await stateOf(first)).toEqual({ type: 'settled', outcome: { type: 'accepted' } })

    await wakeWaiting(needs)
    expect(trial.sent).toContainEqual({ type: 'session-start', sessionId: second.sessionId })
    await run(second)
    await settleAttempt(needs, second.id)
    expect(await stateOf(second)).toEqual({
      type: 'settled',
      outcome: { type: 'rejected', reason: 'there was no story' },
    })
  })

  it('can be taken by a plain model, which answers in its format', async () => {
    const attempt = await ask(0, 'homer')
    await run(attempt)
    await settleAttempt(needs, attempt.id)
    expect(answers).toEqual(['scripted'])
    expect(await stateOf(attempt)).toEqual({ type: 'settled', outcome: { type: 'accepted' } })
  })

  it('has its own patience', async () => {
    const attempt = await ask(0)
    trial.now = new Date(trial.now.getTime() + HISTORIAN.startPatienceMs + 1)
    await startSession(needs, attempt.sessionId)
    const end = { type: 'unstarted', reason: 'it could not be started in time' }
    expect((await session(attempt)).state).toEqual({ type: 'terminated', end })
  })

  it('is not started once what it belonged to is gone', async () => {
    const attempt = await ask(0)
    await startSession({ ...needs, assignments: NO_ASSIGNMENTS }, attempt.sessionId)
    const end = { type: 'unstarted', reason: 'what it belonged to is gone' }
    expect((await session(attempt)).state).toEqual({ type: 'terminated', end })
  })
})
