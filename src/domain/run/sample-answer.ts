const TEXT = 'simulated'
const ITEMS = 2

type Schema = Readonly<Record<string, unknown>>

/** A value that a JSON Schema accepts, as far as its usual keywords decide: for agents that only act as if. */
export function sampleAnswer(schema: unknown): unknown {
  const { type, enum: words, const: only, anyOf, oneOf } = objectOf(schema)
  if (only !== undefined) return only
  if (Array.isArray(words)) return words[0]
  const [alternative] = [anyOf, oneOf].find((one): one is unknown[] => Array.isArray(one)) ?? []
  if (alternative !== undefined) return sampleAnswer(alternative)
  return sampleOf(Array.isArray(type) ? type[0] : type, objectOf(schema))
}

function sampleOf(type: unknown, schema: Schema): unknown {
  switch (type) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return numberOf(schema['minimum'], 1)
    case 'array':
      return sampleList(schema)
    case 'object':
      return sampleObject(schema)
    case 'null':
      return null
    default:
      return TEXT.padEnd(numberOf(schema['minLength'], 0), '.').slice(0, numberOf(schema['maxLength'], 1e6))
  }
}

function sampleList({ items, minItems, maxItems }: Schema): readonly unknown[] {
  const length = Math.max(numberOf(minItems, 0), Math.min(ITEMS, numberOf(maxItems, ITEMS)))
  return Array.from({ length }, () => sampleAnswer(items))
}

function sampleObject({ properties }: Schema): Schema {
  const fields = Object.entries(objectOf(properties)).map(([name, field]) => [name, sampleAnswer(field)])
  return Object.fromEntries(fields)
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function objectOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}
