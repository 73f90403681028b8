import { randomUUID } from 'node:crypto'

/** A fresh name as the services make them: a prefix and 24 letters and digits. */
export function freshName(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '').slice(0, 24)
}
