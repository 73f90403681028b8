import type { WirePinnedWork } from '../../../client/index.ts'
import { safeLine } from '../text/safe-text.ts'

const TITLE_LIMIT = 60
const SHOWN = 3

/** Names the work that an ended job left; nothing if it left none. */
export function unlandedLines(works: readonly WirePinnedWork[]): readonly string[] {
  if (works.length === 0) return []
  const more = works.length - SHOWN
  return [
    'work that did not land is kept:',
    ...works
      .slice(0, SHOWN)
      .map(({ id, task, title }) => `  ${safeLine(task ?? id)}  ${safeLine(title, TITLE_LIMIT)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
