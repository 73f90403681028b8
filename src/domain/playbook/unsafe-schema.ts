const UNSAFE: ReadonlyMap<string, string> = new Map([
  ...['$ref', '$dynamicRef', '$recursiveRef'].map(
    (key) => [key, `it uses "${key}"; write that part of the schema out instead`] as const,
  ),
  ...['pattern', 'patternProperties'].map(
    (key) => [key, `it uses "${key}", whose patterns could take too long to check`] as const,
  ),
])
/** Their fields are names that the playbook's author chose, not keywords. */
const NAMES: readonly string[] = ['properties', '$defs', 'definitions']
/** Their values are compared, not followed. */
const VALUES: readonly string[] = ['enum', 'const', 'default', 'examples']

/**
 * Why answers can't be checked with a schema within a bounded time, whatever they contain: references can repeat a part
 * without end, and some patterns take longer than anyone waits. The schema may be nested deeper than calls can be.
 */
export function whyUnsafeSchema(schema: unknown): string | undefined {
  const open = [schema]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) open.push(...value)
    else if (typeof value === 'object' && value !== null) {
      const keyword = Object.keys(value).find((key) => UNSAFE.has(key))
      if (keyword !== undefined) return UNSAFE.get(keyword)
      open.push(...Object.entries(value).flatMap(partsOf))
    }
  }
  return undefined
}

/** The schemas that a keyword contains. */
function partsOf([key, value]: [string, unknown]): readonly unknown[] {
  if (VALUES.includes(key)) return []
  const hasNames = NAMES.includes(key) && typeof value === 'object' && value !== null
  return hasNames ? Object.values(value) : [value]
}
