import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import type { Result } from '../../../../domain/result.ts'
import { type Git, type GitRun, LONG_TIMEOUT_MS } from '../process/run-git.ts'

export type Fetch = {
  /** The git directory that receives. */
  readonly into: string
  /** Path of the repository that gives. */
  readonly from: string
  readonly ref: string
  readonly as: string
  /** Whether each object is checked: for what agents made, but not for a person's old history. */
  readonly isChecked: boolean
  /** A commit both sides have, where one is known: saves offering every ref. */
  readonly shared?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Brings one ref and all it needs from one repository to another, and nothing besides. */
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
