import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goalClauses } from './goal-clauses.ts'

const lines = (...text: readonly string[]): string => text.join('\n')

describe('the clauses of a goal', () => {
  it('are its one line if it has only one', () => {
    expect(goalClauses('Make it fast.\n')).toEqual(['Make it fast.'])
  })

  it('are its paragraphs if it has no list, without headings, code, rules and quotations', () => {
    const goal = lines(
      '# Faster',
      '',
      'The parser reads a file',
      'in a second.',
      '',
      '> as somebody asked',
      '',
      '```sh',
      'npm test',
      '',
      '- not an item',
      '```',
      '',
      '---',
      '',
      'Nothing else changes.',
      '',
      '    indented code',
    )
    expect(goalClauses(goal)).toEqual(['The parser reads a file in a second.', 'Nothing else changes.'])
  })

  it('are its list items if it has any, with bullets, numbers or checkboxes', () => {
    const goal = lines(
      'Why we do this.',
      '',
      '- one',
      '* [ ] two',
      '+ [x] three',
      '',
      'And then:',
      '1. four',
      '2) five',
      '',
      'The end.',
    )
    expect(goalClauses(goal)).toEqual(['one', 'two', 'three', 'four', 'five'])
  })

  it('include nested items and continued lines in their parent', () => {
    const goal = lines(
      '- an API that can:',
      '  - list',
      '  - create',
      '    in one call',
      '- a page',
      'that shows it',
      '',
      '  with a title',
      '',
      'Not part of it.',
      '- \ta last one',
    )
    expect(goalClauses(goal)).toEqual([
      'an API that can: list; create in one call',
      'a page that shows it with a title',
      'a last one',
    ])
  })

  it('skip code below an item, and the item continues after it', () => {
    const goal = lines('- one', '  ```', '  - no', '  ```', '  and more', '- two')
    expect(goalClauses(goal)).toEqual(['one and more', 'two'])
  })

  it('skip appended learnings, and nothing that follows them', () => {
    const goal = lines('- one', '', '## Learnings', '', '- it is slow', '- very', '', '## More', '- two')
    expect(goalClauses(goal)).toEqual(['one', 'two'])
    expect(goalClauses('Make it fast.\n\n## Learnings\n\n- it is slow\n')).toEqual(['Make it fast.'])
    expect(goalClauses('Fast.\n\n## Learnings\n\n- slow\n\nAnd small.\n')).toEqual(['Fast.', 'And small.'])
  })

  it('read a document that is indented as a whole like any other', () => {
    expect(goalClauses('    # T\n\n    - one\n      - inner\n    - two\n')).toEqual(['one; inner', 'two'])
  })

  it('recognise underlined headings, and do not mistake a rule for an item', () => {
    expect(
      goalClauses(lines('Title', '=====', '', 'Do it.', '', 'Other', '-----', '* * *', 'Well.')),
    ).toEqual(['Do it.', 'Well.'])
  })

  it('are the headings if there is nothing else', () => {
    expect(goalClauses('# Make it fast')).toEqual(['Make it fast'])
    expect(goalClauses('```\ncode\n```')).toEqual(['``` code ```'])
  })

  it('are at most fifty; the last stands for the rest', () => {
    const goal = Array.from({ length: 60 }, (_, index) => `- clause ${index + 1}`).join('\n')
    const clauses = goalClauses(goal)
    expect(clauses).toHaveLength(50)
    expect(clauses.at(-2)).toBe('clause 49')
    expect(clauses.at(-1)).toBe('the remaining 11 clauses of the goal, beginning with: clause 50')
  })

  it('are none for an empty document', () => {
    expect(goalClauses(' \n\t\n')).toEqual([])
  })
})

describe('the clauses of any goal', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '- ',
      '  - ',
      '1. ',
      '```',
      '~~~',
      '# ',
      '## Learnings',
      '> ',
      '\t',
      '    ',
      '---',
      '===',
      '- [ ]',
      '',
    ),
    fc.string({ unit: 'grapheme' }),
    fc.lorem(),
  )
  const document = fc
    .array(
      fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join('')),
      { maxLength: 80 },
    )
    .map((rows) => rows.join('\n'))

  it('are bounded, on one line each, never empty and always the same', () => {
    fc.assert(
      fc.property(document, (text) => {
        const clauses = goalClauses(text)
        expect(clauses.length).toBeLessThanOrEqual(50)
        expect(clauses.length > 0).toBe(text.trim() !== '')
        for (const clause of clauses) {
          expect(clause.length).toBeLessThanOrEqual(500)
          expect(clause).toBe(clause.replaceAll(/\s+/g, ' ').trim())
          expect(clause).not.toBe('')
        }
        expect(goalClauses(text)).toEqual(clauses)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are the items of a plain list, in order', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,4}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 50 }),
        fc.constantFrom('- ', '* ', '3. ', '+ [ ] '),
        (items, mark) => {
          expect(goalClauses(items.map((item) => `${mark}${item}`).join('\n'))).toEqual(items)
        },
      ),
    )
  })
})
