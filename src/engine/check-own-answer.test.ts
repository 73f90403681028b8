import { describe, expect, it } from 'vitest'
import type { AnswerSchema } from '../domain/agent/answer-schema.ts'
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
  it('is never followed into patterns and references that could take forever', () => {
    const slow = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
      required: [],
    } as const
    const answer = { a: `${'a'.repeat(66)}!` }
    expect(checkOwnAnswer(slow, answer)).toMatchObject({ failure: expect.stringContaining('"pattern"') })
    const endless = { ...SCHEMA, $defs: { x: { $ref: '#/$defs/x' } } }
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
    expect(result.ok ? 'none' : result.failure).toContain("can't be checked with the schema of the playbook")
  })
})
