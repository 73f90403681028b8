import { expect, it } from 'vitest'
import { parseTerminalMessage, parseViewerMessage, terminalQuerySchema } from './terminal.ts'

it('parses the messages of both sides and ignores unknown ones', () => {
  expect(parseViewerMessage('{"type":"resize","columns":"90","rows":28}')).toEqual({
    type: 'resize',
    columns: 90,
    rows: 28,
  })
  expect(parseTerminalMessage('{"type":"keyboard","taken":true}')).toEqual({ type: 'keyboard', taken: true })
  for (const text of ['', 'null', '[]', '{"type":"dance"}', '{"type":"resize","columns":0,"rows":5}']) {
    expect(parseViewerMessage(text)).toBeUndefined()
    expect(parseTerminalMessage(text)).toBeUndefined()
  }
})

it('accepts an end or a refusal in a form that only a newer daemon knows', () => {
  expect(parseTerminalMessage('{"type":"ended","end":{"type":"vanished"}}')).toMatchObject({
    type: 'ended',
    end: { type: 'lost' },
  })
  expect(parseTerminalMessage('{"type":"refused"}')).toMatchObject({
    type: 'refused',
    error: { type: 'unknown' },
  })
})

it.each([
  [{}, { columns: 80, rows: 24, readonly: false, take: false }],
  [
    { columns: '100', readonly: '', take: 'false' },
    { columns: 100, rows: 24, readonly: true, take: false },
  ],
])('parses the query %o', (query, expected) => {
  expect(terminalQuerySchema.parse(query)).toEqual(expected)
})
