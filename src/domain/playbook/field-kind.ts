/** What a field of an answer may hold. */
export type FieldKind =
  | { readonly type: 'text' }
  | { readonly type: 'number' }
  | { readonly type: 'flag' }
  | { readonly type: 'list' }
  | { readonly type: 'word'; readonly of: readonly string[] }
  /** Its schema allows more than one of these. */
  | { readonly type: 'any' }

export type Fields = Readonly<Record<string, FieldKind>>

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: { type: 'text' },
  number: { type: 'number' },
  integer: { type: 'number' },
  boolean: { type: 'flag' },
  array: { type: 'list' },
}

/** What a playbook may expect of the properties of a JSON Schema. */
export function fieldsOf(properties: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]))
}

function kindOf(schema: unknown): FieldKind {
  if (typeof schema !== 'object' || schema === null) return { type: 'any' }
  const { type, enum: values } = schema as { readonly type?: unknown; readonly enum?: unknown }
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    return { type: 'word', of: values }
  }
  const isKnown = typeof type === 'string' && Object.hasOwn(KINDS, type)
  return (isKnown ? KINDS[type] : undefined) ?? { type: 'any' }
}
