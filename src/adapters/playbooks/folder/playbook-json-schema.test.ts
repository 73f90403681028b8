import { expect, it } from 'vitest'
import { playbookJsonSchema } from './playbook-json-schema.ts'

it('describes the file as it is written, with five kinds of stage', () => {
  const schema = playbookJsonSchema()
  expect(schema).toMatchObject({
    $schema: expect.stringContaining('json-schema.org'),
    additionalProperties: false,
    required: ['version', 'name', 'description', 'start', 'stages'],
    properties: {
      version: { const: 1 },
      stages: {
        type: 'object',
        propertyNames: { pattern: expect.any(String) },
        additionalProperties: {
          oneOf: ['role', 'checks', 'gate', 'choose', 'playbook'].map((kind) => ({
            title: `${kind} stage`,
            additionalProperties: false,
            required: expect.arrayContaining([kind]),
          })),
        },
      },
    },
  })
})
