import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeBrokenAnswer } from './broken-answer.ts'

describe('an output without a readable answer', () => {
  it.each<[string, string, string | RegExp]>([
    ['is silence', ' \n ', 'there is no answer: nothing was printed'],
    [
      'is prose',
      'I looked around.\nAll is well.',
      'there is no JSON object in the answer, which ends with: "All is well."',
    ],
    ['is a list', '[{"description":"a"}]', 'the answer must be one JSON object, and is a list'],
    ['is a number', '5', 'the answer must be one JSON object, and is a number'],
    ['is null', 'null', 'the answer must be one JSON object, and is null'],
    ['breaks off', 'Here:\n{"tasks":[{"description":"a"}', /^the JSON of the answer cannot be read: .+/],
    [
      'has a stray comma',
      '```json\n{"tasks":[{"description":"a"},]}\n```',
      /cannot be read: Unexpected token/,
    ],
    ['breaks off early', 'thinking {"reaso', /^the JSON of the answer cannot be read/],
  ])('that %s is described by what is wrong with it', (_, output, problem) => {
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
