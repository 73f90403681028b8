import { expect, expectTypeOf, it } from 'vitest'
import type { EventData, EventType } from '../domain/event/event.ts'
import type { Brand } from '../domain/id.ts'
import type { MessageRequest } from '../domain/message/message-request.ts'
import type { Report } from '../domain/report/report.ts'
import type { KnownEvent } from './event.ts'
import type { WireMessageRequest } from './message.ts'
import type { WireReport } from './report.ts'

/** A type as JSON represents it: ids and instants are strings, nothing is readonly, and absent fields are undefined. */
type Json<Value> = unknown extends Value
  ? unknown
  : Value extends Brand<string, string> | Date
    ? string
    : Value extends object
      ? {
          -readonly [Name in keyof Value]: object extends Pick<Value, Name>
            ? Json<Value[Name]> | undefined
            : Json<Value[Name]>
        }
      : Value

// These fail at type check, not at run time.
it('defines reports like the domain', () => {
  expectTypeOf<Json<WireReport>>().toEqualTypeOf<Json<Report>>()
})

it('defines agent messages like the domain', () => {
  expectTypeOf<Json<WireMessageRequest>>().toEqualTypeOf<Json<MessageRequest>>()
})

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

type WireData<Type> = Extract<KnownEvent, { type: Type }>['data']

/** The server adds the session to agent output, so the id is not stored with every line. */
type DomainData<Type extends EventType> = Type extends 'agent_message'
  ? EventData[Type] & { agentSessionId?: string }
  : EventData[Type]

type Differing = {
  [Type in EventType]: Same<Json<DomainData<Type>>, Json<WireData<Type>>> extends true ? never : Type
}[EventType]

type Nothing<Type extends never> = Type

/** Fails to compile if an event's schema and its domain type differ; the error names the event. */
type DifferingEvents = Nothing<
  Differing | Exclude<EventType, KnownEvent['type']> | Exclude<KnownEvent['type'], EventType>
>

it('defines the same events and fields in the contract and the domain', () => {
  const differing: readonly DifferingEvents[] = []
  expect(differing).toEqual([])
})
