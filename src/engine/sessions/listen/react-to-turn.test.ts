import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeExampleSession, storeExampleTask } from '../../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial } from '../../../../test/support/job-trial.ts'
import type { Unready } from '../../../domain/agent/unready.ts'
import { NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { reactToTurn } from './react-to-turn.ts'

let trial: JobTrial
beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

async function afterTurn(cause: Unready['cause']) {
  const { store } = trial.needs
  const turn = { type: 'unready', cause, reason: 'It cannot work', remedy: 'Help it' } as const
  const session = await storeExampleSession(store, await storeExampleTask(store), {
    state: { type: 'running', pid: 1, startTime: '1' },
    conversation: { ...NO_CONVERSATION, turn },
  })
  trial.alarms.length = 0
  await reactToTurn(trial.needs, session.id)
  const { state } = (await store.read.sessions.find(session.id)) ?? {}
  return { id: session.id, state, turn }
}

it('suspends a session that is not logged in until a person resumes it', async () => {
  const { state, turn } = await afterTurn('login')
  expect(state).toEqual({ type: 'suspended', why: turn, hasExited: false })
  expect(trial.alarms).toEqual([])
})

it('lets a session that cannot reach its model try again a minute later', async () => {
  const { id, state, turn } = await afterTurn('network')
  const at = new Date(trial.now.getTime() + 60_000)
  expect(state).toEqual({ type: 'suspended', why: { ...turn, until: at.toISOString() }, hasExited: false })
  expect(trial.alarms).toEqual([{ at, work: { type: 'session-resume', sessionId: id } }])
})
