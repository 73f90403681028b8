/** The fields of something that was read from a file; none if it isn't a mapping. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type Place = { readonly path: readonly (string | number)[]; readonly value: unknown }

/** Everything in a tree of data, however deep it is. What several aliases share is visited once. */
export function* placesIn(root: unknown): Generator<Place> {
  const open: Place[] = [{ path: [], value: root }]
  const seen = new Set<unknown>()
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place
    const { path, value } = place
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    for (const [key, child] of Object.entries(value)) {
      open.push({ path: [...path, Array.isArray(value) ? Number(key) : key], value: child })
    }
  }
}
