import { describe, expect, it } from 'vitest'
import type { AnswerSchema } from '../agent/answer-schema.ts'
import { checkOwnAnswer } from './check-own-answer.ts'

const SCHEMA: AnswerSchema = {
  type: 'object',
  properties: {
    host: { type: 'string', minLength: 1 },
    ports: { type: 'array', items: { type: 'integer', maximum: 65_535 }, default: [] },
  },
  required: ['host'],
}

describe("a playbook's own schema", () => {
  it('takes a bounded number of steps, whatever it and the answer contain', () => {
    const nested = (depth: number, type: unknown): object =>
      depth === 0 ? { type: 'null' } : { type, items: nested(depth - 1, type) }
    const object = (a: object) => ({ type: 'object', properties: { a }, required: [] }) as const
    const repeated = checkOwnAnswer(object(nested(12, ['array', 'array'])), { a: [] })
    expect(repeated).toMatchObject({ failure: expect.stringContaining('a list of types') })
    const deep = checkOwnAnswer(object(nested(40, 'array')), { a: [] })
    expect(deep).toMatchObject({ failure: expect.stringContaining('nested too deeply') })
    const anyOf = Array.from({ length: 400 }, () => ({ type: 'null' }))
    const zeros = { a: Array.from({ length: 5_000 }, () => 0) }
    const large = checkOwnAnswer(object({ type: 'array', items: { anyOf } }), zeros)
    expect(large).toMatchObject({ failure: expect.stringContaining('too large to be checked') })
    const wide = checkOwnAnswer(object({ anyOf: [...anyOf, ...anyOf] }), zeros)
    expect(wide).toMatchObject({ failure: expect.stringContaining('more than 500 parts') })
  })

  it('may allow null, alternatives and fixed values, and forbid other fields', () => {
    const properties = {
      kind: { enum: ['a', 'b'] },
      size: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      note: { type: ['string', 'null'], maxLength: 3 },
    }
    const schema = { type: 'object', properties, required: ['kind'], additionalProperties: false } as const
    expect(checkOwnAnswer(schema, { kind: 'a', size: null, note: null }).ok).toBe(true)
    const wrong = checkOwnAnswer(schema, { kind: 'c', size: 0, note: 'long', other: 1 })
    expect(wrong.ok ? '' : wrong.failure).toBe(
      'the answer does not fit its schema: `kind`: it must be one of: a, b; `size`: it fits none of the alternatives; `note`: it must have at most 3 characters; and 1 more',
    )
  })

  it('lets fields have any name, and defaults any content', () => {
    const properties = { pattern: { type: 'string' }, $ref: { enum: ['a'] } }
    const schema = { type: 'object', properties, required: [], default: { pattern: 'x' } } as const
    expect(checkOwnAnswer(schema, { pattern: 'x', $ref: 'a' }).ok).toBe(true)
  })

  it('is never followed into patterns and references that could take forever', () => {
    const slow = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
      required: [],
    } as const
    const answer = { a: `${'a'.repeat(66)}!` }
    expect(checkOwnAnswer(slow, answer)).toMatchObject({ failure: expect.stringContaining('"pattern"') })
    const endless = { ...SCHEMA, properties: { x: { $ref: '#' } } }
    expect(checkOwnAnswer(endless, answer)).toMatchObject({ failure: expect.stringContaining('"$ref"') })
  })

  it('accepts an answer that fits, and fills in its defaults', () => {
    expect(checkOwnAnswer(SCHEMA, { host: 'a', ports: [80] })).toEqual({
      ok: true,
      value: { host: 'a', ports: [80] },
    })
    expect(checkOwnAnswer(SCHEMA, { host: 'a' })).toEqual({ ok: true, value: { host: 'a', ports: [] } })
  })

  it('says where an answer does not fit', () => {
    const result = checkOwnAnswer(SCHEMA, { ports: [80, 'x'] })
    expect(result.ok ? 'none' : result.failure).toMatch(
      /^the answer does not fit its schema: `host`: [^;]+; `ports\.1`: [^;]+$/,
    )
  })

  it('lists only the first faults', () => {
    const result = checkOwnAnswer(SCHEMA, { host: 'a', ports: ['a', 'b', 'c', 'd', 'e'] })
    expect(result.ok ? 'none' : result.failure).toContain('and 2 more')
  })

  it('is named as the reason if it can not be checked', () => {
    const result = checkOwnAnswer({ ...SCHEMA, ...{ if: { required: ['ports'] } } }, { host: 'a' })
    expect(result.ok ? 'none' : result.failure).toContain(`can't be used: it uses "if"`)
  })
})
