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

/** The guarded parts of a repository's file, complete. Whatever could hide or reorder text is shown as an escape. */
export function trustLines({ repositoryPath, parts }: WireTrust, paint: Paint): readonly string[] {
  if (parts.length === 0) return [`${visibleLine(repositoryPath)}: its muster.yaml needs no trust`]
  const groups = (Object.keys(HEADINGS) as Effect[]).flatMap((effect) => {
    const found = parts.filter((part) => part.effect === effect)
    if (found.length === 0) return []
    return [paint(TONES[effect], HEADINGS[effect]), ...found.flatMap(partLines)]
  })
  return [`muster.yaml in ${visibleLine(repositoryPath)}`, ...groups]
}

function partLines({ field, value }: WireTrust['parts'][number]): readonly string[] {
  const [first = '', ...rest] = visibleText(value).split('\n')
  return [`  ${visibleLine(field)}: ${first}`, ...rest.map((line) => `      ${line}`)]
}
