import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import { SETTINGS_FILE } from './cluster-settings.ts'
import type { ForeignReason } from './embedded-postgres-failure.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { isSystemError } from './system-error.ts'

type Expected = { readonly account: PostgresAccount; readonly major: string }

/** Says whether a database of ours is there, or may be made there. Only reads. */
export async function inspectDataDirectory(
  directory: string,
  expected: Expected,
): Promise<Result<'ours' | 'free', PostgresFailure>> {
  const foreign = (reason: ForeignReason) =>
    failure({ type: 'foreign-directory', directory, reason } as const)
  const found = await findEntry(directory)
  if (found === undefined) return success('free')
  if (!found.isDirectory()) return foreign({ type: 'not-a-directory' })

  const names = await readdir(directory)
  if (names.length === 0) return success('free')
  if (!names.includes('PG_VERSION')) return foreign({ type: 'not-a-cluster' })
  if (found.uid !== expected.account.uid) {
    return foreign({ type: 'other-owner', ownerUid: found.uid, expectedUid: expected.account.uid })
  }

  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  if (version !== expected.major) {
    return failure({ type: 'wrong-version', directory, found: version, needed: expected.major })
  }
  if (!names.includes(SETTINGS_FILE)) return foreign({ type: 'not-made-by-muster' })
  return success('ours')
}

async function findEntry(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}
