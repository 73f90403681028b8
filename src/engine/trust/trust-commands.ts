import type { ConfigurationFailure } from '../../domain/job/start-failure.ts'
import type { SourceFailure } from '../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { GuardedPart } from '../../domain/trust/guarded-part.ts'
import { shownPart } from '../../domain/trust/shown-part.ts'
import type { TrustedConfiguration } from '../../ports/store/trust-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { trustDigest } from './trust-digest.ts'

type Needs = Pick<EngineNeeds, 'branches' | 'configuration' | 'store' | 'clock'>

/** What a repository's file asks for, and whether the person trusts exactly that. */
export type TrustView = {
  readonly repositoryPath: string
  readonly digest: string
  readonly parts: readonly GuardedPart[]
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
  const root = await findRoot(needs, repositoryPath)
  if (!root.ok) return root
  const path = root.value
  const read = await needs.configuration.read(path)
  if (!read.ok) return read
  const { guarded } = read.value
  const digest = trustDigest(guarded)
  const known = await needs.store.read.trust.find(path)
  const isTrusted = guarded.length === 0 || known?.digest === digest
  return success({ repositoryPath: path, digest, parts: guarded.map(shownPart), isTrusted })
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
  const shown = await showTrust(needs, repositoryPath)
  if (!shown.ok) return shown
  const { repositoryPath: path, parts, isTrusted, digest: found } = shown.value
  if (found !== digest) return failure({ type: 'configuration-changed', repositoryPath: path, digest: found })
  if (isTrusted) return shown
  await needs.store.transact((records) =>
    records.trust.save(
      { path, digest, trustedAt: needs.clock.now() },
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
  return success({ ...shown.value, isTrusted: true })
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
