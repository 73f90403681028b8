import { describe, expect, it } from 'vitest'
import { type FieldKind, OUTPUT_FORMATS, type OutputFormat } from '../playbook/output-format.ts'
import { OUTPUT_SCHEMAS, schemaOf } from './output-schema.ts'
import type { ValueSchema } from './value-schema.ts'

const FORMATS = Object.keys(OUTPUT_FORMATS) as OutputFormat[]

/** What a playbook may expect of a field with this schema. */
function kindOf(schema: ValueSchema | undefined): FieldKind | undefined {
  if (schema?.type === 'string')
    return schema.enum === undefined ? { type: 'text' } : { type: 'word', of: schema.enum }
  if (schema?.type === 'integer') return { type: 'number' }
  if (schema?.type === 'boolean') return { type: 'flag' }
  return schema?.type === 'array' ? { type: 'list' } : undefined
}

function everyValueIn(schema: ValueSchema): readonly ValueSchema[] {
  if (schema.type === 'array') return [schema, ...everyValueIn(schema.items)]
  if (schema.type === 'object') return [schema, ...Object.values(schema.properties).flatMap(everyValueIn)]
  return [schema]
}

function own(text: string) {
  return schemaOf({ type: 'schema', file: './mine.json' }, { './mine.json': text })
}

describe('the schemas of the shipped formats', () => {
  it.each(FORMATS)('%s has exactly the fields that playbooks may refer to', (format) => {
    const fields = Object.entries(OUTPUT_SCHEMAS[format].properties).map(([name, schema]) => [
      name,
      kindOf(schema),
    ])
    expect(Object.fromEntries(fields)).toEqual(OUTPUT_FORMATS[format])
  })

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

  it('is found by the name of the format', () => {
    expect(schemaOf({ type: 'shipped', format: 'design' }, {})).toEqual({
      ok: true,
      value: OUTPUT_SCHEMAS.design,
    })
    expect(schemaOf({ type: 'shipped', format: 'toString' }, {})).toMatchObject({ ok: false })
  })
})

describe("a playbook's own schema", () => {
  it('comes from the files that were pinned with the run', () => {
    const schema = { type: 'object', properties: { port: { type: 'integer' } }, required: ['port'] }
    expect(own(JSON.stringify({ title: 'A port', ...schema }))).toEqual({
      ok: true,
      value: { title: 'A port', ...schema },
    })
  })

  it('describes an object, even if it says nothing about it', () => {
    expect(own('{}')).toEqual({ ok: true, value: { type: 'object', properties: {}, required: [] } })
  })

  it.each([
    ['{ "type": "array" }', './mine.json must describe an object: "type": "object"'],
    ['[]', './mine.json is not a JSON Schema'],
    ['{', './mine.json is not a JSON Schema'],
  ])('can not be used as %s', (text, problem) => {
    expect(own(text)).toEqual({ ok: false, failure: problem })
  })

  it('can not be used if it was not pinned', () => {
    expect(schemaOf({ type: 'schema', file: './other.json' }, {})).toEqual({
      ok: false,
      failure: 'the run has no file ./other.json',
    })
  })
})
