import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CLEANUP_LIMITS } from '../../../../domain/limits/cleanup-limits.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { gitText } from '../process/git-answer.ts'
import { LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { setHubRefs } from './change-refs.ts'
import type { HubNeeds } from './hub-repository.ts'
import { isObjectId } from './object-id.ts'
import { deleteRefs } from './pins.ts'

const HELPERS = /\.(?:idx|rev|bitmap|mtimes)$|^info\//
const NEEDED = 'refs/muster/needed/'
const EXPIRY = `${CLEANUP_LIMITS.unreachableHours}.hours.ago`

/** Less than this is what packs need besides their objects. */
const NEGLIGIBLE_BYTES = 4096

/**
 * The size of all objects, less those that are needed. Objects that are stored twice count too. Files that are too young
 * stay, so there is never more than what the older ones have.
 */
export async function measureWaste(
  needs: HubNeeds,
  hub: string,
  needed: readonly string[],
): Promise<Result<number, GitFailure>> {
  const used = await sizeOf(join(hub, 'objects'))
  if (used.old === 0) return success(0)
  const present = await findPresent(needs, hub, needed)
  if (!present.ok) return present
  const reached = await gitText(needs.git, {
    directory: hub,
    arguments: ['rev-list', '--objects', '--disk-usage', '--all', '--stdin'],
    input: present.value.map((commit) => `${commit}\n`).join(''),
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!reached.ok) return reached
  const waste = Math.min(used.all - Number(reached.value), used.old)
  return success(waste < NEGLIGIBLE_BYTES ? 0 : waste)
}

/** Packs what is needed into one pack, and drops the rest once it is old enough. Returns the bytes that this frees. */
export async function compactHub(
  needs: HubNeeds,
  hub: string,
  needed: readonly string[],
): Promise<Result<number, GitFailure>> {
  const before = await sizeOf(join(hub, 'objects'))
  const present = await findPresent(needs, hub, needed)
  if (!present.ok) return present
  // Git keeps what refs name. Refs of a compaction that died are as good as new ones.
  if (present.value.length > 0) {
    const kept = present.value.map((to) => ({ type: 'set', ref: `${NEEDED}${to}`, to }) as const)
    const set = await setHubRefs(needs, hub, kept)
    if (!set.ok) return set
  }
  const packed = await gitText(needs.git, {
    directory: hub,
    arguments: ['repack', '-A', '-d', '-q', `--unpack-unreachable=${EXPIRY}`],
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!packed.ok) return packed
  const pruned = await gitText(needs.git, {
    directory: hub,
    arguments: ['prune', `--expire=${EXPIRY}`],
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!pruned.ok) return pruned
  const forgotten = await forgetNeeded(needs, hub)
  if (!forgotten.ok) return forgotten
  const after = await sizeOf(join(hub, 'objects'))
  return success(Math.max(0, before.all - after.all))
}

async function forgetNeeded(needs: HubNeeds, hub: string): Promise<Result<void, GitFailure>> {
  const listed = await gitText(needs.git, {
    directory: hub,
    arguments: ['for-each-ref', '--format=%(refname)', NEEDED],
  })
  return listed.ok ? await deleteRefs(needs, hub, listed.value.split('\n').filter(Boolean)) : listed
}

/** Those of the commits that the hub has. */
async function findPresent(
  { git }: HubNeeds,
  hub: string,
  commits: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const asked = [...new Set(commits)].filter(isObjectId)
  if (asked.length === 0) return success([])
  const answered = await gitText(git, {
    directory: hub,
    arguments: ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    input: asked.map((commit) => `${commit}\n`).join(''),
  })
  if (!answered.ok) return answered
  const lines = answered.value.split('\n').map((line) => line.split(' '))
  return success(lines.flatMap(([id = '', type]) => (type === 'commit' ? [id] : [])))
}

/** The size of packs and loose objects, without what only helps to find them. */
async function sizeOf(directory: string): Promise<{ readonly all: number; readonly old: number }> {
  const limit = Date.now() - CLEANUP_LIMITS.unreachableHours * 60 * 60_000
  let [all, old] = [0, 0]
  const entries = (await readdir(directory, { recursive: true }).catch(ignoreCodes('ENOENT'))) ?? []
  for (const entry of entries.filter((name) => !HELPERS.test(name))) {
    const seen = await stat(join(directory, entry)).catch(ignoreCodes('ENOENT'))
    if (seen?.isFile() !== true) continue
    all += seen.size
    if (seen.mtimeMs < limit) old += seen.size
  }
  return { all, old }
}
