import { type JsonObject, objectOf } from './json-object.ts'

/** The smallest value of a JSON schema. Where refusing is a choice it refuses: no reviewer says yes unasked. */
export function schemaInstance(schema: JsonObject): unknown {
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices.includes('deny') ? 'deny' : choices[0]
  const declared = schema['type']
  const type = Array.isArray(declared) ? declared[0] : declared
  switch (String(type).toLowerCase()) {
    case 'object':
      return requiredFields(schema)
    case 'array':
      return []
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return 1
    default:
      return 'scripted'
  }
}

function requiredFields(schema: JsonObject): JsonObject {
  const properties = objectOf(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return Object.fromEntries(required.map((name) => [name, schemaInstance(objectOf(properties[name]))]))
}
