import { createHash } from 'node:crypto'

/** Names one exact action of one exact session: any other action, or the same elsewhere, has another digest. */
export function actionDigest(parts: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonical(parts)).digest('hex')
}

/** JSON with the keys of all objects in order, so that equal values give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
