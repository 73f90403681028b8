import type { GuardedPart } from '../../domain/trust/guarded-part.ts'
import { partIdentity } from '../../domain/trust/part-identity.ts'
import type { TrustedConfiguration, TrustedPart } from '../../ports/store/trust-records.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import { trustDigest } from './trust-digest.ts'

const PROVIDER = /^(agents\..+)\.provider$/

/**
 * What the person has to agree to before these parts may take effect. A part that has gone needs no agreement, because
 * without it everything is as it would be without the file. There are two exceptions. Checks are why the person may let
 * work land, and an agent could remove the one that its work fails. And without its provider, an agent's settings may
 * belong to another program.
 */
export function untrustedParts(
  parts: readonly GuardedPart[],
  known: TrustedConfiguration | undefined,
): readonly GuardedPart[] {
  if (known === undefined) return parts
  if (known.digest === trustDigest(parts)) return []
  // Rows from before Muster remembered each part say only that something is different.
  if (known.parts === undefined) return parts
  const trusted = new Set(known.parts.map(({ digest }) => digest))
  const unknown = parts.filter((part) => !trusted.has(trustedPart(part).digest))
  const moved = ofOtherPrograms(parts, known.parts).filter((part) => !unknown.includes(part))
  return [...unknown, ...moved, ...goneChecks(parts, known.parts)]
}

export function trustedPart(part: GuardedPart): TrustedPart {
  const identity = partIdentity(part)
  return { field: identity.field, digest: canonicalDigest(identity) }
}

/** The parts of agents whose provider the person trusted, and which now name none. */
function ofOtherPrograms(
  parts: readonly GuardedPart[],
  trusted: readonly TrustedPart[],
): readonly GuardedPart[] {
  const present = new Set(parts.map(({ field }) => field))
  const gone = trusted.filter(({ field }) => PROVIDER.test(field) && !present.has(field))
  const agents = gone.map(({ field }) => field.replace(PROVIDER, '$1.'))
  return parts.filter(({ field }) => agents.some((agent) => field.startsWith(agent)))
}

function goneChecks(parts: readonly GuardedPart[], trusted: readonly TrustedPart[]): readonly GuardedPart[] {
  const present = new Set(parts.map((part) => trustedPart(part).digest))
  const { length } = trusted.filter(({ field, digest }) => field === 'checks[]' && !present.has(digest))
  if (length === 0) return []
  const value =
    length === 1 ? '1 check that you trusted is gone' : `${length} checks that you trusted are gone`
  return [{ field: 'checks', value: `(${value})`, effect: 'loosens-protection' }]
}
