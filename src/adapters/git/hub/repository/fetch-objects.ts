import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import type { Result } from '../../../../domain/result.ts'
import { type Git, type GitRun, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { pastStaleLocks } from './change-refs.ts'

export type Fetch = {
  /** The git directory to fetch into. */
  readonly into: string
  /** The path of the repository to fetch from. */
  readonly from: string
  readonly ref: string
  readonly as: string
  /** Whether git checks each object. True for what agents made, false for a person's own history, which may be old. */
  readonly isChecked: boolean
  /** A commit that both sides have, if one is known, so that git need not offer every ref. */
  readonly shared?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Fetches into a hub, where the lock of a killed git must not block the fetch forever. */
export async function fetchIntoHub(
  needs: { readonly git: Git },
  fetch: Fetch,
): Promise<Result<GitRun, GitFailure>> {
  const errorOf = (ran: Result<GitRun, GitFailure>) =>
    ran.ok && ran.value.code !== 0 ? ran.value.stderr : ''
  return await pastStaleLocks(fetch.into, () => fetchObjects(needs, fetch), errorOf)
}

/** Copies one ref and everything it needs from one repository to another. */
export async function fetchObjects(
  needs: { readonly git: Git },
  fetch: Fetch,
): Promise<Result<GitRun, GitFailure>> {
  return await needs.git({
    directory: fetch.into,
    settings: [`fetch.fsckObjects=${fetch.isChecked}`, `transfer.fsckObjects=${fetch.isChecked}`],
    arguments: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      '--update-shallow',
      '--refmap=',
      ...(fetch.shared === undefined ? [] : [`--negotiation-tip=${fetch.shared}`]),
      '--end-of-options',
      fetch.from,
      `+${fetch.ref}:${fetch.as}`,
    ],
    timeoutMs: LONG_TIMEOUT_MS,
    ...(fetch.environment === undefined ? {} : { environment: fetch.environment }),
  })
}
