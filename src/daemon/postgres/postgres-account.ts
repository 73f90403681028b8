import { userInfo } from 'node:os'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'

/** The operating-system user that the database runs as, and the one that may connect to it. */
export type PostgresAccount = {
  readonly uid: number
  readonly gid: number
  /** True if the daemon is root and the database runs as another user, because PostgreSQL refuses to run as root. */
  readonly isSwitched: boolean
  readonly daemonUser: string
}

/** Root's database runs as this user, who has this number on every system. */
export const NOBODY = 65_534

export function findPostgresAccount(): Result<PostgresAccount, PostgresFailure> {
  const uid = process.getuid?.() ?? -1
  const gid = process.getgid?.() ?? -1
  const daemonUser = findOwnName()
  if (daemonUser === undefined) {
    return failure({
      type: 'account-unusable',
      uid,
      detail: 'no user on this system has that ID.',
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
    // A container may run as a number without a name; the database can't start then, nor identify who connects.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
