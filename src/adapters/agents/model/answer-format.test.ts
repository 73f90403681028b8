import { describe, expect, it } from 'vitest'
import type { AnswerSchema } from '../../../domain/agent/answer-schema.ts'
import { OUTPUT_SCHEMAS } from '../../../domain/playbook/output-format.ts'
import { PLANNER_ANSWER } from '../../../engine/roles/planner-answer.ts'
import { answerFormatOf } from './answer-format.ts'

function objectsIn(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(objectsIn)
  return 'properties' in schema ? [schema as Record<string, unknown>, ...inner] : inner
}

function read(answer: AnswerSchema, value: unknown) {
  return answerFormatOf(answer).read(JSON.stringify(value))
}

describe('the format of an answer', () => {
  it.each([
    ['planner', PLANNER_ANSWER],
    ['researcher in a playbook', OUTPUT_SCHEMAS.findings],
    ['reviewer in a playbook', OUTPUT_SCHEMAS.review],
  ])('of a %s has a schema that strict services accept', (_, answer) => {
    const { schema } = answerFormatOf(answer)
    const objects = objectsIn(schema)
    expect(objects.length).toBeGreaterThan(1)
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties as object))
      expect(additionalProperties).toBe(false)
    }
    expect(JSON.stringify(schema)).not.toMatch(
      /"(default|minimum|maximum|minLength|maxLength|minItems|maxItems|\$schema)":/,
    )
  })

  it('of a planner accepts evidence by clause or as sentences', () => {
    const evidence = [{ clause: 1, evidence: 'see src/a.ts' }, 'all tests pass']
    expect(read(PLANNER_ANSWER, { done: true, evidence })).toEqual({
      ok: true,
      value: { tasks: [], reasoning: '', blockers: [], done: true, evidence, learnings: [] },
    })
  })

  it('of a planner has no default for `done`', () => {
    expect(read(PLANNER_ANSWER, { tasks: [] })).toMatchObject({ ok: false })
  })

  it.each([{}, { verdict: 'approved' }, { verdict: 'APPROVED', criteria: [{ criterion: 1 }] }])(
    'of a reviewer never turns %j into an approval',
    (answer) => {
      expect(read(OUTPUT_SCHEMAS.review, answer)).toMatchObject({ ok: false })
    },
  )

  it('names the first invalid fields and counts the rest', () => {
    const tasks = Array.from({ length: 8 }, () => ({ description: '' }))
    const fits = read(PLANNER_ANSWER, { done: false, tasks })
    expect(fits.ok === false && fits.failure).toMatch(/^tasks\[0\]\.description: .*; and 3 more$/)
  })
})
