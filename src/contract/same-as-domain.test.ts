import { expectTypeOf, it } from 'vitest'
import type { Brand } from '../domain/brand.ts'
import type { MessageRequest } from '../domain/message/message-request.ts'
import type { Report } from '../domain/report/report.ts'
import type { WireMessageRequest } from './message.ts'
import type { WireReport } from './report.ts'

/** A value as JSON has it: ids and instants are text, nothing is readonly, an absent field is an undefined one. */
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

// These fail in the type check, not when they run.
it('sends a report as the domain defines it', () => {
  expectTypeOf<Json<WireReport>>().toEqualTypeOf<Json<Report>>()
})

it('takes messages of agents as the domain defines them', () => {
  expectTypeOf<Json<WireMessageRequest>>().toEqualTypeOf<Json<MessageRequest>>()
})
