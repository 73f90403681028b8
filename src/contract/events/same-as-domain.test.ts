import { expect, it } from 'vitest'
import type { Brand } from '../../domain/brand.ts'
import type { EventData, EventType } from '../../domain/event/event.ts'
import type { KnownEvent } from '../event.ts'

/** As JSON has it: ids are text, nothing is readonly, and an absent field is an undefined one. */
type Json<Value> = unknown extends Value
  ? unknown
  : Value extends Brand<string, string>
    ? string
    : Value extends object
      ? {
          -readonly [Name in keyof Value]: object extends Pick<Value, Name>
            ? Json<Value[Name]> | undefined
            : Json<Value[Name]>
        }
      : Value

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

type WireData<Type> = Extract<KnownEvent, { type: Type }>['data']

/** The server adds the session to what an agent printed, so that it is not stored with every line. */
type DomainData<Type extends EventType> = Type extends 'agent_message'
  ? EventData[Type] & { agentSessionId?: string }
  : EventData[Type]

type Differing = {
  [Type in EventType]: Same<Json<DomainData<Type>>, Json<WireData<Type>>> extends true ? never : Type
}[EventType]

type Nothing<Type extends never> = Type

/** Does not compile when an event's schema and its domain type differ in a field; the error names the event. */
type DifferingEvents = Nothing<
  Differing | Exclude<EventType, KnownEvent['type']> | Exclude<KnownEvent['type'], EventType>
>

it('has the same events with the same fields in the contract and the domain, as the compiler proves', () => {
  const differing: readonly DifferingEvents[] = []
  expect(differing).toEqual([])
})
