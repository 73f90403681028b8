import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { interruptLine, turnLine } from './codex-lines.ts'
import type { CodexStage, CodexState } from './codex-state.ts'

const MAX_REASON_CHARACTERS = 2 * 1024

type Working = Extract<CodexStage, { readonly type: 'working' }>

/** Begins the turn of the message that waits longest, when there is one and nothing is under way. */
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

/** The program has begun the turn that it was asked for, and it may have been interrupted before that. */
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

/** Ends the turn that is under way. What was asked in it need not be answered any more. */
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

/** There is no thread and there will be none: what was said fails, and what will be said too. */
export function breakOff(state: CodexState, problem: string): Spoken {
  const reason = storableText(problem.slice(0, MAX_REASON_CHARACTERS))
  const ends = state.waiting.map(
    (): AgentEvent => ({ type: 'turn-end', outcome: { type: 'failed', reason } }),
  )
  return { state: { ...state, stage: { type: 'broken', reason }, waiting: [] }, events: ends, says: [] }
}
