import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleSession,
  storeExampleTask,
} from '../../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial } from '../../../../test/support/job-trial.ts'
import { createCodexProvider } from '../../../adapters/agents/codex/codex-provider.ts'
import type { JobState } from '../../../domain/job/job-state.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { AgentProviderRegistry } from '../../providers/agent-provider-registry.ts'
import { createAssignments } from '../../roles/assignments.ts'
import { suspendIfUnready } from './suspend-if-unready.ts'

let trial: JobTrial
beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

/** A program whose settings name a key that it doesn't have, so that every turn fails. */
const KEYLESS = [process.execPath, resolve(import.meta.dirname, '../../../../test/support/keyed-codex.ts')]

/** A session of that program that ends because of this turn, and its state after it was asked about. */
async function stateAfter(turn: TurnOutcome, job: JobState = { type: 'running', pausing: false }) {
  const { store } = trial.needs
  const example = await storeExampleTask(store, { state: job })
  const agent = { name: 'critic', provider: 'codex', command: KEYLESS, roles: ['reviewer'], env: [] }
  const session = exampleSession(example.job, {
    provider: 'codex',
    role: 'reviewer',
    state: { type: 'terminating', why: { type: 'finished', turn } },
  })
  const purpose = { type: 'task', taskId: example.task.id } as const
  const id = 'attemptId' in session.purpose ? { id: session.purpose.attemptId } : {}
  const attempt = exampleAttempt(example.job, { ...id, purpose, agent, sessionId: session.id })
  await store.transact(async (records) => {
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  const providers = new AgentProviderRegistry([createCodexProvider()], 'codex')
  const assignments = createAssignments({} as never)
  const isSuspended = await suspendIfUnready({ ...trial.needs, providers, assignments }, session.id)
  return { isSuspended, state: (await store.read.sessions.find(session.id))?.state }
}

const FAILED = { type: 'failed', reason: 'Missing environment variable' } as const

it('suspends a session whose turn failed because its program has no key', async () => {
  expect(await stateAfter(FAILED)).toMatchObject({
    isSuspended: true,
    state: { type: 'suspended', why: { type: 'unready', cause: 'login' }, hasExited: false },
  })
})

it('lets a session end if its turn was refused, whatever its program lacks', async () => {
  const { isSuspended, state } = await stateAfter({ type: 'refused', reason: 'no' })
  expect({ isSuspended, type: state?.type }).toEqual({ isSuspended: false, type: 'terminating' })
})

it('lets a session end if its job has ended in the meantime', async () => {
  const { isSuspended, state } = await stateAfter(FAILED, { type: 'cancelled' })
  expect({ isSuspended, type: state?.type }).toEqual({ isSuspended: false, type: 'terminating' })
})
