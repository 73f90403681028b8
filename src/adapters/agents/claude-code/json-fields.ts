/** Fields of something foreign that may turn out to be anything. */
export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

/** The fields of an object; of anything else there are none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text that says something, or nothing. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A count that can be added up; what is none counts nothing. */
export function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0
}
