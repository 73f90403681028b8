import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeBrokenAnswer } from './broken-answer.ts'

describe('output without a readable answer', () => {
  it.each<[string, string, string | RegExp]>([
    ['is silence', ' \n ', 'there is no answer: the output is empty'],
    [
      'is prose',
      'I looked around.\nAll is well.',
      'the answer contains no JSON object; it ends with: "All is well."',
    ],
    ['is a list', '[{"description":"a"}]', 'the answer must be one JSON object, but it is a list'],
    ['is a number', '5', 'the answer must be one JSON object, but it is a number'],
    ['is null', 'null', 'the answer must be one JSON object, but it is null'],
    ['breaks off', 'Here:\n{"tasks":[{"description":"a"}', /^the JSON in the answer is invalid: .+/],
    ['has a stray comma', '```json\n{"tasks":[{"description":"a"},]}\n```', /is invalid: Unexpected token/],
    ['breaks off early', 'thinking {"reaso', /^the JSON in the answer is invalid/],
  ])('that %s is described by its problem', (_, output, problem) => {
    const described = describeBrokenAnswer(output)
    if (typeof problem === 'string') expect(described).toBe(problem)
    else expect(described).toMatch(problem)
  })

  it('is not described as broken when its JSON can be read', () => {
    expect(describeBrokenAnswer('{"nothing":"of use"}')).toBeUndefined()
    expect(describeBrokenAnswer('so\n{"type":"result","tasks":5}\n')).toBeUndefined()
  })

  it('is described in one short line, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (output) => {
        const described = describeBrokenAnswer(output) ?? ''
        expect(described.length).toBeLessThan(400)
        expect(described).not.toMatch(/[\r\n]/)
      }),
    )
  })
})
