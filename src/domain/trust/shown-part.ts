import { isCredentialName } from '../redaction/secret.ts'
import type { GuardedPart } from './guarded-part.ts'

/** The part as it may be shown: an agent's own key stays hidden, everything else is complete. */
export function shownPart(part: GuardedPart): GuardedPart {
  const [, variable] = /^agents\..+\.env\.([^.]+)$/.exec(part.field) ?? []
  if (variable === undefined || !isCredentialName(variable)) return part
  return { ...part, value: `(a key of ${part.value.length} characters)` }
}
