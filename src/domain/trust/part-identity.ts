import type { GuardedPart } from './guarded-part.ts'

/**
 * What makes a part the same one in a later version of the file. In a list, that is the value without its place:
 * otherwise, removing the first command would make all others look new. Their order matters little, because the person
 * has agreed to run each of them, and all checks must pass in whatever order they run.
 */
export function partIdentity({
  field,
  value,
  effect,
}: GuardedPart): GuardedPart | Omit<GuardedPart, 'effect'> {
  const place = field.replace(/\[\d+\]$/, '[]')
  // The effect of a provider is that of a setting beside it, which the person is asked about itself.
  return place.endsWith('.provider') ? { field: place, value } : { field: place, value, effect }
}
