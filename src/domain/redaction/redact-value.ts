import type { Redact } from './redact.ts'

/** Redacts every text in plain data, including keys. Returns data without secrets as it is, not as a copy. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  if (typeof value === 'string') return redact(value) as Value
  if (Array.isArray(value)) return redactList(value, redact) as Value
  return isPlainObject(value) ? (redactFields(value, redact) as Value) : value
}

function redactList(list: readonly unknown[], redact: Redact): readonly unknown[] {
  const first = list.findIndex((item) => redactValue(item, redact) !== item)
  return first === -1 ? list : list.map((item) => redactValue(item, redact))
}

function redactFields(fields: Readonly<Record<string, unknown>>, redact: Redact): object {
  for (const key of Object.keys(fields)) {
    if (redact(key) === key && redactValue(fields[key], redact) === fields[key]) continue
    const entries = Object.entries(fields).map(([name, value]) => [redact(name), redactValue(value, redact)])
    return Object.fromEntries(entries)
  }
  return fields
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
