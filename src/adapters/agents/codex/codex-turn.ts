import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { interruptLine, turnLine } from './codex-lines.ts'
import type { CodexStage, CodexState } from './codex-state.ts'

const MAX_REASON_CHARACTERS = 2 * 1024

type Working = Extract<CodexStage, { readonly type: 'working' }>

/** Starts a turn with the oldest waiting message, if no turn is running. */
export function beginNext(state: CodexState, interrupt = false): Spoken {
  const { stage, waiting, nextId } = state
  const [text, ...rest] = waiting
  if (stage.type !== 'idle' || text === undefined) return { state, events: [], says: [] }
  const { threadId } = stage
  return {
    state: {
      ...state,
      nextId: nextId + 1,
      waiting: rest,
      stage: { type: 'starting', threadId, requestId: nextId, interrupt },
    },
    events: [],
    says: [turnLine(nextId, threadId, text)],
  }
}

/** The program has started the requested turn, which may have been interrupted in the meantime. */
export function turnBegun(state: CodexState, turnId: string): Spoken {
  const { stage } = state
  if (stage.type !== 'starting') return { state, events: [], says: [] }
  const working: Working = { type: 'working', threadId: stage.threadId, turnId }
  const next: CodexState = { ...state, stage: working }
  return stage.interrupt ? interruptTurn(next, working) : { state: next, events: [], says: [] }
}

export function interruptTurn(state: CodexState, { threadId, turnId }: Working): Spoken {
  return {
    state: { ...state, nextId: state.nextId + 1 },
    events: [],
    says: [interruptLine(state.nextId, threadId, turnId)],
  }
}

/** Ends the running turn. Its open requests no longer need an answer. */
export function endTurn(state: CodexState, outcome: TurnOutcome): Spoken {
  const { stage } = state
  if (stage.type !== 'starting' && stage.type !== 'working') return { state, events: [], says: [] }
  const idle: CodexState = {
    ...state,
    stage: { type: 'idle', threadId: stage.threadId },
    openRequests: [],
    changes: [],
  }
  const next = beginNext(idle)
  return { ...next, events: [{ type: 'turn-end', outcome }, ...next.events] }
}

/** There will be no thread, so all waiting and later messages fail. */
export function breakOff(state: CodexState, problem: string): Spoken {
  const reason = storableText(problem.slice(0, MAX_REASON_CHARACTERS))
  const ends = state.waiting.map(
    (): AgentEvent => ({ type: 'turn-end', outcome: { type: 'failed', reason } }),
  )
  return { state: { ...state, stage: { type: 'broken', reason }, waiting: [] }, events: ends, says: [] }
}
