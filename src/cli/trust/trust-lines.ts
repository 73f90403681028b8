import type { WireTrust } from '../../client/index.ts'
import type { Paint, Tone } from '../render/text/paint.ts'
import { visibleLine, visibleText } from '../render/text/safe-text.ts'

type Effect = WireTrust['parts'][number]['effect']

const HEADINGS = {
  'runs-programs': 'These settings run programs on this machine:',
  'sends-keys': 'These settings send your API keys to an address that the file names:',
  'loosens-protection': 'These settings loosen the protection that you have without the file:',
} as const satisfies Record<Effect, string>

const TONES = {
  'runs-programs': 'strong',
  'sends-keys': 'bad',
  'loosens-protection': 'warn',
} as const satisfies Record<Effect, Tone>

/**
 * The guarded parts of a repository's file, complete: those that the person decides about, or all of them if the person
 * trusts them already. Whatever could hide or reorder text is shown as an escape.
 */
export function trustLines(shown: WireTrust, paint: Paint): readonly string[] {
  const { repositoryPath, parts, untrusted, isTrusted } = shown
  const place = visibleLine(repositoryPath)
  if (isTrusted && parts.length === 0) return [`${place}: its muster.yaml needs no trust`]
  const listed = isTrusted ? parts : untrusted
  const groups = (Object.keys(HEADINGS) as Effect[]).flatMap((effect) => {
    const found = listed.filter((part) => part.effect === effect)
    if (found.length === 0) return []
    return [paint(TONES[effect], HEADINGS[effect]), ...found.flatMap(partLines)]
  })
  return [`muster.yaml in ${place}`, ...groups, ...(isTrusted ? [] : restLines(shown))]
}

/** What isn't asked about, so that nobody takes the list for the whole file. */
function restLines({ parts, untrusted }: WireTrust): readonly string[] {
  const asked = new Set(untrusted.map(({ field }) => field))
  const known = parts.filter(({ field }) => !asked.has(field)).length
  if (known === 0) return []
  return [
    known === 1 ? 'You already trust its other setting.' : `You already trust its ${known} other settings.`,
  ]
}

function partLines({ field, value }: WireTrust['parts'][number]): readonly string[] {
  const [first = '', ...rest] = visibleText(value).split('\n')
  return [`  ${visibleLine(field)}: ${first}`, ...rest.map((line) => `      ${line}`)]
}
