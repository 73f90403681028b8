import { describe, expect, it } from 'vitest'
import { formatFields, OUTPUT_SCHEMAS, type OutputFormat } from './output-format.ts'
import type { ValueSchema } from './value-schema.ts'

const FORMATS = Object.keys(OUTPUT_SCHEMAS) as OutputFormat[]

function everyValueIn(schema: ValueSchema): readonly ValueSchema[] {
  if (schema.type === 'array') return [schema, ...everyValueIn(schema.items)]
  if (schema.type === 'object') return [schema, ...Object.values(schema.properties).flatMap(everyValueIn)]
  return [schema]
}

describe('the schemas of the shipped formats', () => {
  it.each(FORMATS)('%s describes and bounds every value', (format) => {
    for (const schema of everyValueIn(OUTPUT_SCHEMAS[format])) {
      expect(schema.description).not.toBe('')
      if (schema.type === 'array') expect(schema.maxItems).toBeGreaterThan(0)
      if (schema.type === 'string') expect(schema.maxLength ?? schema.enum).toBeDefined()
    }
  })

  it('has no default for what decides', () => {
    expect(OUTPUT_SCHEMAS.review.required).toEqual(['verdict'])
    expect(OUTPUT_SCHEMAS.choice.required).toEqual(['choice', 'reason'])
    expect(OUTPUT_SCHEMAS.criteria.required).toEqual(['criteria', 'needsDesign'])
  })

  it('say what a playbook may expect of their fields', () => {
    expect(formatFields('findings')).toEqual({
      summary: { type: 'text' },
      findings: { type: 'list' },
      confidence: { type: 'word', of: ['high', 'medium', 'low'] },
      openQuestions: { type: 'list' },
      methodology: { type: 'text' },
    })
    expect(formatFields('criteria')).toMatchObject({ needsDesign: { type: 'flag' } })
    expect(formatFields('choice')).toMatchObject({ choice: { type: 'number' } })
    expect(formatFields('toString')).toBeUndefined()
  })
})
