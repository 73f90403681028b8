export type JsonObject = Readonly<Record<string, unknown>>

/** The object that this is, or an empty one: foreign requests are read leniently. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
