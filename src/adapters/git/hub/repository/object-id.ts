export type ObjectFormat = 'sha1' | 'sha256'

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text)
}

export function objectFormatOf(objectId: string): ObjectFormat {
  return objectId.length === 64 ? 'sha256' : 'sha1'
}

/** Git's id for "does not exist", as long as the given id. */
export function absentIdLike(objectId: string): string {
  return '0'.repeat(objectId.length)
}
