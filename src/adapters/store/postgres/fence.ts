import type pg from 'pg'

/** Muster's tables are in a schema of their own, so a database can also be used by an application. */
export const SCHEMA = 'muster'

/** The number under which one daemon owns one database. A daemon that takes over the database gets the next number. */
export type Fence = {
  readonly databaseId: string
  readonly number: number
  /** Called when the database has another owner, or is another database. This process must stop. */
  readonly onRefused: () => void
}

/** Raised by the function `require_owner`. */
const REFUSED = 'MU001'
/** No such schema, function or table: this is another database. */
const ELSEWHERE = new Set(['3F000', '42883', '42P01'])

/** The options of a pool whose connections find Muster's tables, and refuse to work if this daemon isn't the owner. */
export function fencedOptions(fence: Fence | undefined): object {
  return {
    fence,
    async onConnect(client: pg.Client) {
      try {
        await client.query(`set search_path to ${SCHEMA}${fence === undefined ? '' : `; ${checkOf(fence)}`}`)
      } catch (error) {
        if (fence !== undefined && isRefusal(error)) fence.onRefused()
        throw error
      }
    },
  }
}

/**
 * A statement that fails unless the daemon owns the database. Until its transaction ends, no other daemon can become
 * the owner.
 */
export function checkOf({ databaseId, number }: Fence): string {
  if (!/^[0-9a-f-]{1,64}$/.test(databaseId) || !Number.isSafeInteger(number)) {
    throw new Error('a fence has an id and a number')
  }
  return `select ${SCHEMA}.require_owner('${databaseId}', ${number})`
}

export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === REFUSED || ELSEWHERE.has(String(error.code))
}
