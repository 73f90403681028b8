import { describe, expect, it } from 'vitest'
import { MODEL_ROLES } from '../../../domain/agent/role-binding.ts'
import { answerFormatOf } from './answer-format.ts'

function objectsIn(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(objectsIn)
  return 'properties' in schema ? [schema as Record<string, unknown>, ...inner] : inner
}

function read(role: string, value: unknown) {
  return answerFormatOf(role)?.read(JSON.stringify(value))
}

describe('the format of an answer', () => {
  it('exists once for each role that a model can take, and for no other', () => {
    const schemas = new Set(MODEL_ROLES.map((role) => JSON.stringify(answerFormatOf(role)?.schema)))
    expect(schemas.size).toBe(MODEL_ROLES.length)
    expect(answerFormatOf('worker')).toBeUndefined()
    expect(answerFormatOf('constructor')).toBeUndefined()
  })

  it.each([...MODEL_ROLES])('of a %s has a schema that strict services accept', (role) => {
    const schema = answerFormatOf(role)?.schema
    const objects = objectsIn(schema)
    expect(objects.length).toBeGreaterThan(1)
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties as object))
      expect(additionalProperties).toBe(false)
    }
    expect(JSON.stringify(schema)).not.toMatch(/"(default|minimum|maximum|minLength|\$schema)":/)
  })

  it('of a planner accepts evidence by clause or as sentences', () => {
    const evidence = [{ clause: 1, evidence: 'see src/a.ts' }, 'all tests pass']
    expect(read('planner', { done: true, evidence })).toEqual({
      ok: true,
      value: { tasks: [], reasoning: '', blockers: [], done: true, evidence, learnings: [] },
    })
  })

  it('of a planner has no default for `done`', () => {
    expect(read('planner', { tasks: [] })).toMatchObject({ ok: false })
  })

  it.each([{}, { verdict: 'approved' }, { verdict: 'APPROVED', criteria: [{ criterion: 1 }] }])(
    'of a reviewer never turns %j into an approval',
    (answer) => {
      expect(read('reviewer', answer)).toMatchObject({ ok: false })
    },
  )

  it('names the first invalid fields and counts the rest', () => {
    const tasks = Array.from({ length: 8 }, () => ({ description: '' }))
    const fits = read('planner', { done: false, tasks })
    expect(fits?.ok === false && fits.failure).toMatch(/^tasks\[0\]\.description: .*; and 3 more$/)
  })
})
