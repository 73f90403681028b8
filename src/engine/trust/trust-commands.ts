import type { ConfigurationFailure } from '../../domain/job/start-failure.ts'
import type { SourceFailure } from '../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { GuardedPart } from '../../domain/trust/guarded-part.ts'
import { shownPart } from '../../domain/trust/shown-part.ts'
import type { TrustedConfiguration } from '../../ports/store/trust-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { trustDigest } from './trust-digest.ts'
import { trustedPart, untrustedParts } from './untrusted-parts.ts'

type Needs = Pick<EngineNeeds, 'branches' | 'configuration' | 'store' | 'clock'>

/** What a repository's file asks for, and whether the person trusts exactly that. */
export type TrustView = {
  readonly repositoryPath: string
  readonly digest: string
  readonly parts: readonly GuardedPart[]
  /** What the person hasn't agreed to yet. */
  readonly untrusted: readonly GuardedPart[]
  readonly isTrusted: boolean
}

export type ShowTrustFailure = SourceFailure | ConfigurationFailure

/** The file is no longer the one that was shown, so the decision doesn't apply to it. */
export type ConfigurationChanged = {
  readonly type: 'configuration-changed'
  readonly repositoryPath: string
  readonly digest: string
}

/** What a person can do about trust. */
export interface TrustCommands {
  show(repositoryPath: string): Promise<Result<TrustView, ShowTrustFailure>>
  /** Trusts the guarded parts with this digest, and nothing else in this repository. */
  trust(
    repositoryPath: string,
    digest: string,
  ): Promise<Result<TrustView, ShowTrustFailure | ConfigurationChanged>>
  /** Returns whether something was trusted. Works for a repository that no longer exists. */
  revoke(repositoryPath: string): Promise<boolean>
  list(): Promise<readonly TrustedConfiguration[]>
}

export function createTrustCommands(needs: Needs): TrustCommands {
  return {
    show: (repositoryPath) => showTrust(needs, repositoryPath),
    trust: (repositoryPath, digest) => trustParts(needs, repositoryPath, digest),
    revoke: (repositoryPath) => revokeTrust(needs, repositoryPath),
    list: () => needs.store.read.trust.list(),
  }
}

async function showTrust(needs: Needs, repositoryPath: string): Promise<Result<TrustView, ShowTrustFailure>> {
  const file = await readFile(needs, repositoryPath)
  return file.ok ? success(viewOf(file.value)) : file
}

/** The guarded parts of a file with their real values, and what the person trusted before. */
type GuardedFile = {
  readonly path: string
  readonly guarded: readonly GuardedPart[]
  readonly known?: TrustedConfiguration
}

async function readFile(
  needs: Needs,
  repositoryPath: string,
): Promise<Result<GuardedFile, ShowTrustFailure>> {
  const root = await findRoot(needs, repositoryPath)
  if (!root.ok) return root
  const path = root.value
  const read = await needs.configuration.read(path)
  if (!read.ok) return read
  const known = await needs.store.read.trust.find(path)
  return success({ path, guarded: read.value.guarded, ...(known && { known }) })
}

function viewOf({ path, guarded, known }: GuardedFile): TrustView {
  const untrusted = untrustedParts(guarded, known)
  return {
    repositoryPath: path,
    digest: trustDigest(guarded),
    parts: guarded.map(shownPart),
    untrusted: untrusted.map(shownPart),
    isTrusted: untrusted.length === 0,
  }
}

/** A repository without commits can't have jobs yet, but its file can be trusted. */
async function findRoot(needs: Needs, repositoryPath: string): Promise<Result<string, SourceFailure>> {
  const source = await needs.branches.inspectSource(repositoryPath)
  if (source.ok) return success(source.value.path)
  return source.failure.type === 'no-commits' ? success(source.failure.path) : source
}

async function trustParts(
  needs: Needs,
  repositoryPath: string,
  digest: string,
): Promise<Result<TrustView, ShowTrustFailure | ConfigurationChanged>> {
  const file = await readFile(needs, repositoryPath)
  if (!file.ok) return file
  const { path, guarded, known } = file.value
  const view = viewOf(file.value)
  if (view.digest !== digest)
    return failure({ type: 'configuration-changed', repositoryPath: path, digest: view.digest })
  // A file with fewer parts replaces the row too: what it no longer asks for must not come back without a question.
  if (known === undefined ? view.isTrusted : known.digest === digest) return success(view)
  const parts = guarded.map(trustedPart)
  await needs.store.transact((records) =>
    records.trust.save(
      { path, digest, parts, trustedAt: needs.clock.now() },
      {
        audit: {
          actor: 'person',
          action: 'configuration-trust',
          subject: path,
          detail: { digest, parts: parts.length },
        },
      },
    ),
  )
  return success({ ...view, untrusted: [], isTrusted: true })
}

async function revokeTrust(needs: Needs, repositoryPath: string): Promise<boolean> {
  const root = await findRoot(needs, repositoryPath)
  const path = root.ok ? root.value : repositoryPath
  return await needs.store.transact((records) =>
    records.trust.remove(path, {
      audit: { actor: 'person', action: 'configuration-revoke', subject: path, detail: {} },
    }),
  )
}
