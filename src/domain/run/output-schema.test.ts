import { describe, expect, it } from 'vitest'
import { OUTPUT_SCHEMAS } from '../playbook/output-format.ts'
import { schemaOf } from './output-schema.ts'

function own(text: string) {
  return schemaOf({ type: 'schema', file: './mine.json' }, { './mine.json': text })
}

describe('the schema of a shipped format', () => {
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
