import { describe, expect, it } from 'vitest'
import { readEventLine } from './read-event-line.ts'

function read(value: unknown) {
  return readEventLine(JSON.stringify(value))
}

describe('a line of agent output', () => {
  it('is text if it is not one of our JSON events', () => {
    for (const line of [
      'working on it',
      '',
      '{"type":"other"}',
      '{"a":1}',
      '[1]',
      '"text"',
      '{"type":',
      '  indented',
    ]) {
      expect(readEventLine(line)).toEqual([{ type: 'text', text: line }])
    }
  })

  it('loses its carriage return if lines end in CRLF', () => {
    expect(readEventLine('hello\r')).toEqual([{ type: 'text', text: 'hello' }])
    expect(readEventLine('{"type":"text","text":"hello"}\r')).toEqual([{ type: 'text', text: 'hello' }])
  })

  it('becomes the event that it describes, without unknown keys', () => {
    expect(read({ type: 'text', text: 'hello', more: 1 })).toEqual([{ type: 'text', text: 'hello' }])
    expect(read({ type: 'tool-call', name: 'edit', input: { a: [1] }, id: 'x' })).toEqual([
      { type: 'tool-call', name: 'edit', input: { a: [1] } },
    ])
    expect(read({ type: 'tool-result', name: 'edit' })).toEqual([
      { type: 'tool-result', name: 'edit', output: null },
    ])
    expect(read({ type: 'usage', inputTokens: 3, outputTokens: 4, costUsd: 0.5 })).toEqual([
      { type: 'usage', inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    ])
    expect(read({ type: 'result', tasks: [], done: true })).toEqual([
      { type: 'result', answer: { tasks: [], done: true } },
    ])
  })

  it('stays text if it has the type of an event but not its shape', () => {
    const misshapen = [
      { type: 'text' },
      { type: 'text', text: 5 },
      { type: 'tool-call', input: {} },
      { type: 'tool-result', name: 1 },
      { type: 'usage', inputTokens: -1, outputTokens: 0 },
      { type: 'usage', inputTokens: 1.5, outputTokens: 0 },
      { type: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 'free' },
    ]
    for (const value of misshapen) {
      expect(read(value)).toEqual([{ type: 'text', text: JSON.stringify(value) }])
    }
  })

  it('keeps values deeper than 64 levels as text', () => {
    const deep = `${'['.repeat(70)}1${']'.repeat(70)}`
    const [event] = readEventLine(`{"type":"tool-call","name":"x","input":${deep}}`)
    let inner: unknown = event?.type === 'tool-call' ? event.input : undefined
    let levels = 1
    while (Array.isArray(inner)) {
      inner = inner[0]
      levels += 1
    }
    expect(levels).toBe(64)
    expect(inner).toBe(`${'['.repeat(7)}1${']'.repeat(7)}`)
  })

  it('may contain brackets in strings, which do not count as nesting', () => {
    const text = `${'['.repeat(100)}"\\`
    expect(read({ type: 'result', text })).toEqual([{ type: 'result', answer: { text } }])
  })

  it('is truncated between characters, and has at most 64 KiB with the note on the omitted bytes', () => {
    const [event] = readEventLine('€'.repeat(30_000))
    const text = event?.type === 'text' ? event.text : ''
    const [kept = '', note] = text.split('\n')
    expect(kept).toMatch(/^€+$/)
    const bytes = Buffer.byteLength(text)
    expect(bytes).toBeLessThanOrEqual(65_536)
    expect(bytes).toBeGreaterThan(65_536 - 3)
    expect(note).toBe(`[${90_000 - Buffer.byteLength(kept)} more bytes were left out]`)
  })

  it('loses NUL and half surrogate pairs, in keys too', () => {
    expect(readEventLine('{"type":"result","a\\u0000":"\\ud83d\\ude00 \\ud83d"}')).toEqual([
      { type: 'result', answer: { 'a\ufffd': '😀 \ufffd' } },
    ])
  })

  it('loses a __proto__ key and infinite numbers', () => {
    const [event] = readEventLine('{"type":"result","__proto__":{"a":1},"b":1e400}')
    expect(event).toEqual({ type: 'result', answer: { b: null } })
    expect(Object.keys((event?.type === 'result' ? event.answer : {}) as object)).toEqual(['b'])
  })
})
