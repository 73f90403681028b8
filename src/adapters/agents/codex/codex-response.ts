import { z } from 'zod'
import type { Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { GREETING_ID, greetedLine, JOINING_ID, joiningLine } from './codex-lines.ts'
import { type CodexState, identifier } from './codex-state.ts'
import { beginNext, breakOff, endTurn, turnBegun } from './codex-turn.ts'

const failedResponse = z.object({ error: z.object({ message: z.string() }) })
const joinedResponse = z.object({
  result: z.object({ thread: z.object({ id: identifier }), model: z.string().optional().catch(undefined) }),
})
const turnResponse = z.object({ result: z.object({ turn: z.object({ id: identifier }) }) })

/** An answer to one of our requests. Unexpected answers are ignored. */
export function hearCodexResponse(state: CodexState, id: string | number, message: unknown): Spoken {
  const { stage } = state
  const problem = failedResponse.safeParse(message).data?.error.message
  if (stage.type === 'greeting' && id === GREETING_ID) return greeted(state, stage.interrupt, problem)
  if (stage.type === 'joining' && id === JOINING_ID) return joined(state, stage.interrupt, message, problem)
  if (stage.type !== 'starting' || id !== stage.requestId) return { state, events: [], says: [] }
  if (problem !== undefined) return endTurn(state, { type: 'failed', reason: storableText(problem) })
  const turn = turnResponse.safeParse(message).data
  if (turn === undefined) return endTurn(state, { type: 'failed', reason: 'codex started no turn' })
  return turnBegun(state, turn.result.turn.id)
}

function greeted(state: CodexState, interrupt: boolean, problem: string | undefined): Spoken {
  if (problem !== undefined) return breakOff(state, `codex did not start: ${problem}`)
  return {
    state: { ...state, stage: { type: 'joining', interrupt } },
    events: [],
    says: [greetedLine(), joiningLine(state)],
  }
}

function joined(
  state: CodexState,
  interrupt: boolean,
  message: unknown,
  problem: string | undefined,
): Spoken {
  const act = state.resume === undefined ? 'start a thread' : 'resume its thread'
  if (problem !== undefined) return breakOff(state, `codex could not ${act}: ${problem}`)
  const response = joinedResponse.safeParse(message).data
  if (response === undefined) return breakOff(state, `codex could not ${act}: it returned no thread`)
  const { thread, model } = response.result
  const next = beginNext({ ...state, stage: { type: 'idle', threadId: thread.id } }, interrupt)
  const session = {
    type: 'session',
    providerSessionId: storableText(thread.id),
    ...(model === undefined ? {} : { model: storableText(model) }),
  } as const
  return { ...next, events: [session, ...next.events] }
}
