import { safeLine } from '../text/safe-text.ts'

const SHOWN = 3
const LENGTH = 160

/** What Muster could not collect from an agent's tree, on one line. Undefined if it collected everything. */
export function omissionWords(omissions: readonly string[] = []): string | undefined {
  if (omissions.length === 0) return undefined
  const more = omissions.length - SHOWN
  const shown = omissions.slice(0, SHOWN).map((line) => safeLine(line, LENGTH))
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
