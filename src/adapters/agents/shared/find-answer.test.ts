import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findAnswer } from './find-answer.ts'

describe('the answer of an agent', () => {
  it('is the last result line, without its type', () => {
    const output = ['{"type":"result","n":1}', 'text', '{"type":"result","n":2}', '{"n":3}', ''].join('\n')
    expect(findAnswer(output)).toEqual({ n: 2 })
  })

  it('is found in lines that end in CRLF', () => {
    expect(findAnswer('{"type":"result","n":1}\r\ndone\r\n')).toEqual({ n: 1 })
  })

  it('is otherwise the last JSON object, even over several lines or in a fence', () => {
    expect(
      findAnswer('{"n":1}\nHere it is:\n```json\n{\n  "tasks": [\n    {"n": 2}\n  ]\n}\n```\nDone.'),
    ).toEqual({
      tasks: [{ n: 2 }],
    })
    expect(findAnswer('The answer is {"n": {"m": 1}}, I think.')).toEqual({ n: { m: 1 } })
  })

  it('may be a result object over several lines', () => {
    expect(findAnswer('{\n"type": "result",\n"n": 1\n}')).toEqual({ n: 1 })
  })

  it('is found despite braces and quotes in the text around it', () => {
    const answer = '{"text": "a } { \\" b", "list": [1, 2]}'
    const around = ['if (x) { say("hi }', 'it\'s {"odd', '{ "a": [ }', '{{', '"', 'function f() {}', '{}']
    for (const noise of around) {
      expect(findAnswer(`${noise}\n${answer}\n${noise}`)).toEqual({ text: 'a } { " b', list: [1, 2] })
    }
  })

  it('is never a progress line', () => {
    expect(findAnswer('{"n":1}\n{"type":"usage","inputTokens":1,"outputTokens":1}')).toEqual({ n: 1 })
    expect(findAnswer('{"type":"text","text":"hello"}')).toBeUndefined()
  })

  it('may be inside an object that never closes', () => {
    expect(findAnswer('{"n":1}\n{"tasks":[{"n":2}]')).toEqual({ n: 2 })
  })

  it('is searched only in the last MiB, and never in a truncated line', () => {
    const padding = `${'x'.repeat(1023)}\n`.repeat(1024)
    expect(findAnswer(`{"n":1}\n${padding}`)).toBeUndefined()
    expect(findAnswer(`${padding}{"n":1}\n`)).toEqual({ n: 1 })
    const long = JSON.stringify({ tasks: Array.from({ length: 200_000 }, () => ({ n: 1 })) })
    expect(findAnswer(long)).toBeUndefined()
  })

  it('is a verdict only if nothing follows it', () => {
    const approved = '{"verdict":"APPROVED"}'
    const revise = '```json\n{\n  "verdict": "NEEDS_REVISION",\n  "issues": []\n}\n```\n'
    expect(findAnswer(`It says:\n${revise}`)).toEqual({ verdict: 'NEEDS_REVISION', issues: [] })
    expect(findAnswer(`looking at the work:\n${approved}\nI could not decide.`)).toBeUndefined()
    expect(findAnswer(`${approved}\n{"type":"text","text":"I reject this."}`)).toBeUndefined()
    expect(findAnswer(`{"type":"result","verdict":"APPROVED"}\nIt prints {"n":1}.`)).toBeUndefined()
    expect(findAnswer(`${approved}\n{"type":"usage","inputTokens":1,"outputTokens":1}\n`)).toEqual({
      verdict: 'APPROVED',
    })
  })

  it('is the verdict of the last result line, whatever object a process prints after it', () => {
    const rejected = '{"type":"result","verdict":"REJECTED"}'
    expect(findAnswer(`${rejected}\n{"verdict":"APPROVED"}\n`)).toEqual({ verdict: 'REJECTED' })
    expect(findAnswer(`{"verdict":"APPROVED"}\n${rejected}\n`)).toEqual({ verdict: 'REJECTED' })
    expect(findAnswer(`{"type":"result","n":1}\n{"verdict":"APPROVED"}\n`)).toEqual({ n: 1 })
    expect(findAnswer(`${rejected}\n{"type":"text","text":"wait"}\n`)).toBeUndefined()
  })

  it('is no verdict if another verdict contradicts it', () => {
    const bare = (verdict: string) => `{"verdict":"${verdict}"}`
    const result = (verdict: string) => `{"type":"result","verdict":"${verdict}"}`
    for (const output of [
      [result('REJECTED'), result('APPROVED')],
      [result('APPROVED'), result('REJECTED')],
      [bare('REJECTED'), bare('APPROVED')],
      [`I quote ${bare('approved')}`, bare('NEEDS_REVISION')],
      // Whoever was quoted, an approval that is followed by another verdict approves nothing.
      [result('APPROVED'), 'so I ask for changes:', bare('NEEDS_REVISION')],
      [result('APPROVED'), bare('REJECTED')],
      [bare('REJECTED'), result('APPROVED')],
      ['```json', bare('NEEDS_REVISION'), '```', result('APPROVED')],
    ]) {
      expect(findAnswer(output.join('\n'))).toBeUndefined()
    }
    expect(findAnswer([result('approved'), result('APPROVED')].join('\n'))).toEqual({ verdict: 'APPROVED' })
    expect(findAnswer([bare('APPROVED|REJECTED'), bare('REJECTED')].join('\n'))).toEqual({
      verdict: 'REJECTED',
    })
  })

  it('contains no NUL and no prototype', () => {
    expect(findAnswer('{"type":"result","a":"\\u0000","__proto__":{"b":1}}')).toEqual({ a: '\ufffd' })
  })

  it('is found for random objects, on one line or several', () => {
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__' && key !== 'type'),
      fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }),
      { minKeys: 1 },
    )
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2), fc.lorem(), (value, indent, prose) => {
        const expected: unknown = JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
          withoutPrototype(inner),
        )
        expect(findAnswer(`${prose}\n${JSON.stringify(value, null, indent)}\n${prose}`)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})

function withoutPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'))
}
