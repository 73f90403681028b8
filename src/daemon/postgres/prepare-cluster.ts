import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Cluster } from './cluster.ts'
import { SETTINGS_FILE } from './cluster-settings.ts'
import { createCluster } from './create-cluster.ts'
import type { ForeignReason } from './embedded-postgres-failure.ts'
import { findPostgresAccount, type PostgresAccount } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { preparePlaces } from './postgres-places.ts'
import { findInstalledBinaries, prepareBinaries } from './runnable-binaries.ts'
import { prepareSocketDirectory } from './socket-directory.ts'
import { isSystemError } from './system-error.ts'

export type ClusterOptions = {
  readonly home: string
  /** Where root's database goes if its user can't access the folders above home. */
  readonly elsewhere?: string
}

const ELSEWHERE = '/var/lib/muster-postgres'

/** Finds or creates the binaries, folders and data that a server under `home` needs. */
export async function prepareCluster(options: ClusterOptions): Promise<Result<Cluster, PostgresFailure>> {
  const account = findPostgresAccount()
  if (!account.ok) return account
  const installed = await findInstalledBinaries(import.meta.url)
  if (!installed.ok) return installed
  const places = await preparePlaces(account.value, {
    home: options.home,
    elsewhere: options.elsewhere ?? ELSEWHERE,
  })
  if (!places.ok) return places
  const needs = { account: account.value }
  const binaries = await prepareBinaries(needs, installed.value, places.value.base)
  if (!binaries.ok) return binaries

  const data = await inspectDataDirectory(places.value.data, { ...needs, major: binaries.value.major })
  if (!data.ok) return data
  const socketDirectory = await prepareSocketDirectory(account.value, places.value.base)
  if (!socketDirectory.ok) return socketDirectory

  const cluster = {
    account: account.value,
    binaries: binaries.value,
    places: places.value,
    socketDirectory: socketDirectory.value,
  }
  if (data.value === 'ours') return success(cluster)
  const created = await createCluster(cluster)
  return created.ok ? success(cluster) : created
}

type Expected = { readonly account: PostgresAccount; readonly major: string }

/** Checks whether one of our databases is there, or can be created there. Only reads. */
async function inspectDataDirectory(
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
