import { byteLength } from '../byte-length.ts'

const MAX_BYTES = 4_096

/** Adds what was learnt to what is known already, a line each; what is too much is left out. */
export function appendedLearnings(known: string | undefined, learnt: readonly string[]): string | undefined {
  const lines = known === undefined || known === '' ? [] : known.split('\n')
  let size = byteLength(lines.join('\n'))
  for (const line of learnt) {
    const added = byteLength(line) + 1
    if (lines.includes(line) || size + added > MAX_BYTES) continue
    lines.push(line)
    size += added
  }
  return lines.length === 0 ? undefined : lines.join('\n')
}
