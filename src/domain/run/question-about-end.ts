import type { RunEnd } from '../playbook/route.ts'
import { lastEntry } from './entries.ts'
import { hasChosenNone } from './has-chosen-none.ts'
import type { Visit } from './visit.ts'

/** What a person is asked about work that a run didn't end well with. */
export function questionAboutEnd(end: RunEnd, visits: readonly Visit[]): string {
  if (end !== 'unverified') return 'Land this partial work?'
  return lastEntry(visits).some(hasChosenNone)
    ? 'Land this work, although the judge chose none of the candidates?'
    : 'Land this work, which nobody has judged?'
}
