import { randomUUID } from 'node:crypto'

/** A new ID as the services generate them: a prefix and 24 letters and digits. */
export function freshName(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '').slice(0, 24)
}
