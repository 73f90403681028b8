import { stat } from 'node:fs/promises'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubCheck } from '../../../../ports/hub-copies.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'

const CHECK_TIMEOUT_MS = 60_000
const PROBLEM_LENGTH = 300

/** Whether git accepts the hub, and finds every object that a ref needs. Contents of files aren't read. */
export async function checkHub(needs: HubNeeds, hub: string): Promise<HubCheck> {
  if ((await stat(hub).catch(ignoreCodes('ENOENT'))) === undefined) return { type: 'missing' }
  const checked = await needs.git({
    directory: hub,
    arguments: ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'],
    timeoutMs: CHECK_TIMEOUT_MS,
  })
  if (!checked.ok) return { type: 'unknown', problem: problemOf(checked.failure) }
  if (checked.value.code === 0) return { type: 'intact' }
  const words = `${checked.value.stderr}\n${checked.value.stdout.toString('utf8')}`.trim()
  return { type: 'damaged', problem: words.slice(0, PROBLEM_LENGTH) || `exit status ${checked.value.code}` }
}

function problemOf(failed: { readonly type: string; readonly problem?: string }): string {
  return failed.problem ?? failed.type
}
