import { randomBytes } from 'node:crypto'
import { formatId } from '../domain/id.ts'
import type { Ids } from '../ports/ids.ts'

/** Ids of one process never go back in time, so lists by id are lists by age. */
export function createIds(): Ids {
  let last = 0
  return {
    next(kind) {
      last = Math.max(last + 1, Date.now())
      return formatId(kind, last, randomBytes(11))
    },
  }
}
