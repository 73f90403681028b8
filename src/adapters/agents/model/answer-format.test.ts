import { describe, expect, it } from 'vitest'
import { answerFormatOf, MODEL_ROLES } from './answer-format.ts'

function objectsIn(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(objectsIn)
  return 'properties' in schema ? [schema as Record<string, unknown>, ...inner] : inner
}

function read(role: string, value: unknown) {
  return answerFormatOf(role)?.read(JSON.stringify(value))
}

describe('the form of an answer', () => {
  it('exists for the roles that need no hands', () => {
    expect(MODEL_ROLES).toEqual(['planner', 'reviewer'])
    expect(answerFormatOf('worker')).toBeUndefined()
    expect(answerFormatOf('constructor')).toBeUndefined()
  })

  it.each(MODEL_ROLES)('of a %s is a schema that strict services take', (role) => {
    const schema = answerFormatOf(role)?.schema
    const objects = objectsIn(schema)
    expect(objects.length).toBeGreaterThan(1)
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties as object))
      expect(additionalProperties).toBe(false)
    }
    expect(JSON.stringify(schema)).not.toMatch(/"(default|minimum|maximum|minLength|\$schema)":/)
  })

  it('of a planner takes evidence by clause, and in sentences', () => {
    const evidence = [{ clause: 1, evidence: 'see src/a.ts' }, 'all tests pass']
    expect(read('planner', { done: true, evidence })).toEqual({
      ok: true,
      value: { tasks: [], reasoning: '', blockers: [], done: true, evidence, learnings: [] },
    })
  })

  it('of a planner has no default for being done', () => {
    expect(read('planner', { tasks: [] })).toMatchObject({ ok: false })
  })

  it.each([{}, { verdict: 'approved' }, { verdict: 'APPROVED', criteria: [{ criterion: 1 }] }])(
    'of a reviewer never turns %j into an approval',
    (answer) => {
      expect(read('reviewer', answer)).toMatchObject({ ok: false })
    },
  )

  it('names what does not fit, and counts what is too much to name', () => {
    const tasks = Array.from({ length: 8 }, () => ({ description: '' }))
    const fits = read('planner', { done: false, tasks })
    expect(fits?.ok === false && fits.failure).toMatch(/^tasks\[0\]\.description: .*; and 3 more$/)
  })
})
