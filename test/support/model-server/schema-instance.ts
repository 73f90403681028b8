import { type JsonObject, objectOf } from './json-object.ts'

/** The smallest value of a JSON schema. It prefers refusals, so that no reviewer approves by accident. */
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
