import type { StreamId } from '../id.ts'
import type { AgentMessageEvents } from './agent-message.ts'
import type { ApprovalEvents } from './approval-events.ts'
import type { BaseEvents } from './base-events.ts'
import type { BudgetEvents } from './budget-events.ts'
import type { CycleEvents } from './cycle-events.ts'
import type { DocumentEvents } from './document-events.ts'
import type { EventPlace } from './event-place.ts'
import type { JobEvents } from './job-events.ts'
import type { LandingEvents } from './landing-events.ts'
import type { MessageEvents } from './message-events.ts'
import type { BuiltEvent, EventFields } from './new-event.ts'
import type { RunEvents } from './run-events.ts'
import type { SessionEvents } from './session-events.ts'
import type { TaskEvents } from './task-events.ts'

/** The data of each event type; the names are those on the wire. */
export type EventData = JobEvents &
  BaseEvents &
  CycleEvents &
  TaskEvents &
  RunEvents &
  AgentMessageEvents &
  LandingEvents &
  SessionEvents &
  ApprovalEvents &
  MessageEvents &
  DocumentEvents &
  BudgetEvents

export type EventType = keyof EventData

/** An event before it has a number in its stream. Only the builders of its noun make one. */
export type NewEvent = BuiltEvent<EventData, EventType>

/** An event in its stream: `seq` is gapless within the stream and is the SSE id. */
export type StoredEvent = {
  [Type in EventType]: EventFields<Type, EventData[Type]> & { readonly seq: number; readonly at: Date }
}[EventType]

/** The stream an event belongs to: its job's, or its session's if there is no job. */
export function streamOf(event: Pick<EventPlace, 'jobId' | 'sessionId'>): StreamId {
  const stream = event.jobId ?? event.sessionId
  if (stream === undefined) throw new Error('an event must belong to a job or a session')
  return stream
}
