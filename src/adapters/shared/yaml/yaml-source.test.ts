import { describe, expect, it } from 'vitest'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

function parsed(text: string): YamlSource {
  const source = parseYaml(text)
  if (!source.ok) throw new Error(source.failure.problem)
  return source.value
}

function problemIn(text: string) {
  const source = parseYaml(text)
  return source.ok ? undefined : source.failure
}

describe('duplicate keys', () => {
  it.each([
    ['of the file', 'one: 1\ntwo: 2\none: 3\n', 3, 1, '"one" is there twice, first in line 1'],
    ['of an inner map', 'one:\n  two: 2\n  two: 2\n', 3, 3, '"two" is there twice, first in line 2'],
    ['in braces', 'one: { two: 2, three: 3, two: 2 }\n', 1, 26, '"two" is there twice, first in line 1'],
    ['in a list', '- one: 1\n  one: 1\n', 2, 3, '"one" is there twice, first in line 1'],
    ['with an anchor', 'one: 1\n&a one: 1\n', 2, 4, '"one" is there twice, first in line 1'],
    ['that are numbers', '1: one\n2: two\n1: one\n', 3, 1, '"1" is there twice, first in line 1'],
    [
      'of two maps, where the first is reported',
      'a:\n  b: 1\n  b: 2\nc:\n  d: 1\n  d: 2\n',
      3,
      3,
      '"b" is there twice, first in line 2',
    ],
  ])('are found: %s', (_, text, line, column, problem) => {
    expect(problemIn(text)).toEqual({ line, column, problem: `not valid YAML: ${problem}` })
  })

  it('are allowed in different maps', () => {
    expect(parsed('one: { two: 2 }\ntwo: { two: 2 }\n').data).toEqual({ one: { two: 2 }, two: { two: 2 } })
  })
})

describe('brackets that are never closed', () => {
  it.each([
    ['a brace', 'a: 1\nlimits: {{ minutes: 60 }\nstart: x\nstages:\n  a: [b, c]\n', 2, 9, '{'],
    ['a bracket', '# [\na: "{"\nb: [1, 2\nc: }\n', 3, 4, '['],
    ['a brace at the end', 'a: |\n  { text\nb: { c: 1\n', 3, 4, '{'],
  ])('are found where they are opened: %s', (_, text, line, column, bracket) => {
    const problem = `not valid YAML: "${bracket}" is never closed`
    expect(problemIn(text)).toEqual({ line, column, problem })
  })
})

describe('large files', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('')

  it.each([
    ['fields', keys],
    ['list entries', (count: number) => '- 1\n'.repeat(count)],
    ['fields in braces', (count: number) => `{${'"a":1,'.repeat(Math.ceil(count / 2))}}`],
    ['explicit keys', (count: number) => '? a\n'.repeat(count)],
  ])('are refused without being parsed: %s', (_, text) => {
    expect(problemIn(text(FILE_LIMITS.entries + 1))).toEqual({
      problem: `has more than ${FILE_LIMITS.entries} fields and list entries`,
    })
  })

  it('may have as many fields as the limit says, and long texts', () => {
    const text = `a: |\n${'  - b: c, d\n'.repeat(FILE_LIMITS.entries)}${keys(FILE_LIMITS.entries - 1)}`
    expect(parsed(text).lineOf(['k0'])).toBe(FILE_LIMITS.entries + 2)
  })

  it('find a field without comparing its name with all others', () => {
    const source = parsed(keys(1000))
    let comparisons = 0
    const name = {
      toString: () => {
        comparisons += 1
        return 'k999'
      },
    }
    expect(source.lineOf([name as never])).toBe(1000)
    expect(comparisons).toBe(1)
  })
})
