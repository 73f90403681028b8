import { z } from 'zod'
import { playbookSchema, STAGE_SCHEMAS } from './playbook-schema.ts'

/** What an editor needs to complete and check a playbook.yaml. Names and routes are checked by `validate` alone. */
export function playbookJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, properties, ...rest } = fileSchema(playbookSchema)
  const stages = Object.entries(STAGE_SCHEMAS).map(([kind, schema]) => {
    const { $schema: _, ...stage } = fileSchema(schema)
    return { title: `${kind} stage`, ...stage }
  })
  const stage = { oneOf: stages }
  return {
    $schema,
    title: 'Muster playbook, version 1',
    ...rest,
    properties: {
      ...properties,
      stages: { ...objectOf(properties?.['stages']), additionalProperties: stage },
    },
  }
}

/** As a person writes it: fields with a default may be left out. */
function fileSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input' })
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
