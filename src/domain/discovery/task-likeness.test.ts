import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featuresOf, isSameWork } from './task-likeness.ts'

function areSame(
  one: string,
  other: string,
  files: readonly [readonly string[], readonly string[]] = [[], []],
): boolean {
  const first = featuresOf({ description: one, files: files[0] })
  const second = featuresOf({ description: other, files: files[1] })
  const same = isSameWork(first, second)
  expect(isSameWork(second, first)).toBe(same)
  return same
}

describe('two descriptions', () => {
  it.each([
    ['Write the unit tests for the YAML parser', 'write unit tests for YAML parser.'],
    ['Create a config file parser for YAML', 'Create a parser for YAML: config files'],
    [
      'Add pagination, sorting and filtering to the user list page',
      'Add filtering, sorting and pagination to the user list page',
    ],
    [
      'Make `parse()` refuse an empty list, then document that',
      'Then document that, and make `parse()` refuse an empty list',
    ],
    [
      'Document every public function of the store module',
      'Please document every public function of the store module properly',
    ],
  ])('with the same meaning are the same work: %s', (one, other) => {
    expect(areSame(one, other)).toBe(true)
  })

  it.each([
    [
      'Move the shared code from the server to the client',
      'Move the shared code from the client to the server',
    ],
    ['Raise the retry limit of the upload queue to 5', 'Raise the retry limit of the upload queue to 6'],
    [
      'Make the public `parse` function of the module faster',
      'Make the public `print` function of the module faster',
    ],
    [
      'Split the module src/a.ts into two smaller modules',
      'Split the module src/b.ts into two smaller modules',
    ],
    [
      'Rename the class fooBar of the public client module',
      'Rename the class fooBaz of the public client module',
    ],
    [
      'Add one test each for empty, short, long, nested, quoted, escaped, folded, broken and Unicode values of the reader',
      'Add one test each for empty, short, long, nested, quoted, escaped, folded, broken and ASCII values of the reader',
    ],
    [
      'Add the warning banner, its icon, colour, text, link, close button and test to the settings page header area',
      'Remove the warning banner, its icon, colour, text, link, close button and test to the settings page header area',
    ],
    ['Allow uploads of large binary files again', 'Do not allow uploads of large binary files again'],
    ['Write a parser', 'A parser: write tests'],
    ['Add dark mode', 'Mode add dark'],
  ])('that ask for different things are not the same work: %s', (one, other) => {
    expect(areSame(one, other)).toBe(false)
  })

  it('with the same words are the same work only if their files match', () => {
    const [one, other] = [
      'Add missing tests and comments everywhere',
      'Add missing comments and tests everywhere',
    ] as const
    expect(areSame(one, other, [['src/a.ts'], ['./src/a.ts']])).toBe(true)
    expect(areSame(one, other, [['src/a.ts', 'src/b.ts'], ['src/a.ts']])).toBe(true)
    expect(areSame(one, other, [[], ['src/a.ts']])).toBe(true)
    expect(areSame(one, other, [['src/a.ts'], ['src/b.ts']])).toBe(false)
    expect(
      areSame(one, other, [
        ['src/a.ts', 'x'],
        ['src/a.ts', 'y'],
      ]),
    ).toBe(false)
  })

  it('are never the same work if one has a number that the other lacks', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 4, maxLength: 15 })
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (text, one, other) => {
        fc.pre(one !== other)
        expect(areSame([...text, one].join(' '), [...text, other].join(' '))).toBe(false)
        expect(areSame(text.join(' '), [...text, other].join(' '))).toBe(false)
      }),
    )
  })
})
