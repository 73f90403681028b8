import type { ConfigurationFailure, TrustFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { GuardedPart } from '../../domain/trust/guarded-part.ts'
import { shownPart } from '../../domain/trust/shown-part.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { trustDigest } from './trust-digest.ts'
import { untrustedParts } from './untrusted-parts.ts'

type Needs = Pick<EngineNeeds, 'configuration' | 'store' | 'settings'>

/**
 * Reads the configuration of a repository for something that is about to start. Fails if the repository's own file has
 * guarded parts that the person hasn't trusted. Everything that starts programs reads its configuration here.
 */
export async function readTrusted(
  needs: Needs,
  repositoryPath: string,
): Promise<Result<Configuration, ConfigurationFailure | TrustFailure>> {
  const read = await needs.configuration.read(repositoryPath)
  if (!read.ok) return read
  const untrusted = await findUntrusted(needs, repositoryPath, read.value.guarded)
  if (untrusted !== undefined) return failure(untrusted)
  needs.settings.learnSecretsIn(read.value)
  return success(read.value)
}

async function findUntrusted(
  needs: Needs,
  repositoryPath: string,
  parts: readonly GuardedPart[],
): Promise<TrustFailure | undefined> {
  if (needs.settings.trustsAll) return undefined
  const known = await needs.store.read.trust.find(repositoryPath)
  const untrusted = untrustedParts(parts, known)
  if (untrusted.length === 0) return undefined
  return {
    type: 'configuration-untrusted',
    repositoryPath,
    digest: trustDigest(parts),
    parts: untrusted.map(shownPart),
    hasChanged: known !== undefined,
  }
}
