import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../domain/event/event.ts'
import type { EncodedEvent } from '../../ports/event-feed.ts'
import { encodeEvent, eventToWire } from './event-to-wire.ts'

const place = fc.record(
  {
    jobId: fc.string(),
    cycle: fc.nat(),
    taskId: fc.string(),
    attemptId: fc.string(),
    sessionId: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['sessionId'] },
)
const event = fc.record({
  place,
  seq: fc.nat(),
  type: fc.constantFrom('agent_message', 'check_printed'),
  at: fc.date({ noInvalidDate: true }),
  data: fc.record({ type: fc.string(), text: fc.string({ unit: 'binary' }), input: fc.jsonValue() }),
})

it('encodes an event for a stream as it is rendered elsewhere', () => {
  fc.assert(
    fc.property(event, ({ place: where, data, ...fields }) => {
      const stored = { ...where, ...fields, data } as unknown as StoredEvent
      const encoded = { ...where, ...fields, data: JSON.stringify(data) } as unknown as EncodedEvent
      const text = encodeEvent(encoded)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(eventToWire(stored))))
      expect(text).not.toContain('\n')
    }),
  )
})
