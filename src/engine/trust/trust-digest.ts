import type { GuardedPart } from '../../domain/trust/guarded-part.ts'
import { canonicalDigest } from '../canonical-digest.ts'

/** Identifies the guarded parts of a file. The harmless settings beside them don't change it. */
export function trustDigest(parts: readonly GuardedPart[]): string {
  return canonicalDigest({ parts })
}
