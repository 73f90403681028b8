import { expect, it } from 'vitest'
import { whyUnsafeSchema } from './unsafe-schema.ts'

it.each([
  [{ properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, 'pattern'],
  [{ properties: { a: { patternProperties: { '^a': {} } } } }, 'patternProperties'],
  [{ $defs: { x: { anyOf: [{ $ref: '#/$defs/y' }] } } }, '$ref'],
  [{ properties: { a: { items: [{ $dynamicRef: '#a' }] } } }, '$dynamicRef'],
])('%j is unsafe because of %s', (schema, keyword) => {
  expect(whyUnsafeSchema(schema)).toContain(`"${keyword}"`)
})

it('lets fields have any name, and values any content', () => {
  const properties = { pattern: { type: 'string' }, $ref: { enum: ['a', { $ref: 'x' }] } }
  expect(whyUnsafeSchema({ type: 'object', properties, default: { pattern: 'x' } })).toBeUndefined()
})
