import type { WireGarbage } from '../../../client/index.ts'
import { byteWords } from '../text/byte-words.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeLine } from '../text/safe-text.ts'

type Item = WireGarbage['items'][number]

const NOUNS = {
  deletion: 'deleted job',
  'session-files': 'files of session',
  'working-tree': 'working tree',
  'warm-trees': 'warm trees of',
  'base-check': 'base check',
  objects: 'objects in the repository of',
} as const satisfies Record<Item['what'], string>

/** What was removed and what was kept, each with its reason and size, and the sum. */
export function garbageLines({ items, bytes, isDryRun }: WireGarbage, display: Display): readonly string[] {
  const removed = items.filter(({ isKept }) => !isKept)
  const verb = isDryRun ? 'would remove' : 'removed'
  const sum = `${verb} ${counted(removed.length, 'item')}, ${byteWords(bytes)}`
  const kept = items.length - removed.length
  return [
    ...items.map((item) => itemLine(item, isDryRun, display)),
    items.length === 0 ? 'there is nothing to remove' : `${sum}${kept === 0 ? '' : `; kept ${kept}`}`,
  ]
}

function itemLine(item: Item, isDryRun: boolean, { paint }: Display): string {
  const { what, name, reason, bytes, isKept } = item
  const act = isDryRun ? 'would remove' : 'removed'
  // Objects that are too young stay, which only git finds out.
  const isEstimate = what === 'objects' && (isDryRun || isKept)
  const size = `${isEstimate ? 'up to ' : ''}${byteWords(bytes)}`
  return `${isKept ? paint('warn', 'kept') : act} ${NOUNS[what]} ${safeLine(name)}, ${size}: ${safeLine(reason)}`
}
