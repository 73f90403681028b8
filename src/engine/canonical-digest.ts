import { createHash } from 'node:crypto'

/** The SHA-256 of a value. Equal values have equal digests, whatever the order of their keys. */
export function canonicalDigest(parts: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonical(parts)).digest('hex')
}

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
