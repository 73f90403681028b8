import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  exampleChange,
  storeExampleSession,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { storeExampleRun, storeVisitSession } from '../../../test/support/example-run.ts'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { NO_ASSIGNMENTS } from '../../../test/support/no-assignments.ts'
import { claudeCodeDialogue } from '../../adapters/agents/claude-code/claude-code-dialogue.ts'
import type { AgentTool } from '../../domain/message/agent-tool.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import { sayToSession } from '../sessions/control-session.ts'
import { Conversation } from '../sessions/conversation.ts'
import { insertMessage, newMessage } from './new-message.ts'
import { createRuntimeCallbacks } from './runtime-callbacks.ts'

let trial: JobTrial
let session: Session
beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

/** A session in the middle of its first turn. */
beforeEach(async () => {
  const { store } = trial.needs
  const opening = { prompt: 'do it', treeDirectory: '/tree', permissions: 'bypass' } as const
  session = await storeExampleSession(store, await storeExampleTask(store), {
    state: { type: 'running', pid: 1, startTime: '1' },
    conversation: Conversation.open(claudeCodeDialogue, opening, NO_CONVERSATION),
  })
})

/** Stores a session in its first turn that makes a visit whose role may use only these tools. */
async function storeLimited(tools: readonly AgentTool[]): Promise<Session> {
  const { store } = trial.needs
  const task = await storeExampleTask(store)
  const run = await storeExampleRun(store, task, ['reviewer'], { role: { tools } })
  const { conversation } = session
  return await storeVisitSession(store, task, run, 'reviewer', { stage: 'review', conversation })
}

const callbacks = () =>
  createRuntimeCallbacks({
    ...trial.needs,
    assignments: NO_ASSIGNMENTS,
    adoptSession: () => undefined,
    answerMessage: () => Promise.resolve(),
  })

const pending = () => trial.needs.store.read.sessions.pendingInputs([session.id])

/** Stores a message for the session and returns how many inputs wait for the listener. */
async function receiveMessage(): Promise<number> {
  const { jobId } = session
  const made = newMessage(
    trial.needs,
    { sender: 'person', ...(jobId === undefined ? {} : { jobId }) },
    { content: { kind: 'text', metadata: {} }, recipient: session.id, body: 'read this' },
  )
  if (!made.ok) throw new Error(made.failure.type)
  await trial.needs.store.transact((records) => insertMessage(records, made.value, exampleChange()))
  await callbacks().onMessage([session.id])
  return (await pending()).length
}

/** Does what the session's listener does: gives the program its inputs, or hears how turns end. */
async function listen(lines: readonly string[] = []) {
  const { store } = trial.needs
  const { conversation: before, outOffset } = (await store.read.sessions.find(session.id)) ?? session
  const conversation = new Conversation(claudeCodeDialogue, before)
  for (const line of lines) conversation.hear(line)
  const inputs = await pending()
  for (const { input } of inputs) conversation.give(input)
  await store.transact((records) =>
    records.sessions.advance([
      {
        sessionId: session.id,
        fromOut: outOffset,
        toOut: outOffset,
        fromErr: 0,
        toErr: 0,
        events: [],
        conversation: conversation.state,
        said: inputs.map(({ id }) => id),
      },
    ]),
  )
}

const TURN_END = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done' })

it('notifies no session that may not open its inbox', async () => {
  session = await storeLimited(['inbox'])
  expect(await receiveMessage()).toBe(1)
  session = await storeLimited(['send'])
  expect(await receiveMessage()).toBe(0)
})

it('notifies a session of new messages once until the turn of the notice begins', async () => {
  expect(await receiveMessage()).toBe(1)
  expect(await receiveMessage()).toBe(1)
  await listen()
  expect(await receiveMessage()).toBe(0)
  await listen([TURN_END])
  expect(await receiveMessage()).toBe(1)
})

it('notifies a session of new messages although it has not read earlier ones and another text waits', async () => {
  expect(await receiveMessage()).toBe(1)
  await listen()
  await listen([TURN_END])
  await sayToSession({ ...trial.needs, adoptSession: () => undefined }, session.id, 'and hurry')
  await listen()
  expect(await receiveMessage()).toBe(1)
  await listen()
  // The text's turn begins, and the notice still waits behind it.
  await listen([TURN_END])
  expect(await receiveMessage()).toBe(0)
})
