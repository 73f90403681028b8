export type JsonObject = Readonly<Record<string, unknown>>

/** The value if it is an object, or else an empty object, because requests are read leniently. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
