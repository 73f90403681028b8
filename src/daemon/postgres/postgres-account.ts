import { userInfo } from 'node:os'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'

/** The operating-system user that the database runs as, and the one that may connect to it. */
export type PostgresAccount = {
  readonly uid: number
  readonly gid: number
  /** True when the daemon is root and the database runs as somebody else: PostgreSQL refuses to run as root. */
  readonly isSwitched: boolean
  readonly daemonUser: string
}

/** Root's database runs as this user, which every system has under this number. */
export const NOBODY = 65_534

export function findPostgresAccount(): Result<PostgresAccount, PostgresFailure> {
  const uid = process.getuid?.() ?? -1
  const gid = process.getgid?.() ?? -1
  const daemonUser = findOwnName()
  if (daemonUser === undefined) {
    return failure({
      type: 'account-unusable',
      uid,
      detail: 'no user of that number is known to the system.',
    })
  }

  return uid === 0
    ? success({ uid: NOBODY, gid: NOBODY, isSwitched: true, daemonUser })
    : success({ uid, gid, isSwitched: false, daemonUser })
}

function findOwnName(): string | undefined {
  try {
    return userInfo().username
  } catch (error) {
    // A container may run under a number without a name; the database can then neither start nor tell who connects.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
