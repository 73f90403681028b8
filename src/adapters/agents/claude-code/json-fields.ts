/** Fields of an object from the program, of any type. */
export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

/** The fields of an object. Any other value has no fields. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string that isn't empty. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A positive integer. Any other value counts as 0. */
export function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0
}
