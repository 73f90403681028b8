import fc from 'fast-check'
import { HOSTILE_LINES } from './hostile-lines.ts'

/** Random lines, including JSON objects. */
export const anyLine: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => new TextDecoder().decode(bytes)),
  fc.json({ maxDepth: 6 }),
  fc
    .record({
      type: fc.constantFrom('text', 'tool-call', 'tool-result', 'usage', 'result', 'other'),
      text: fc.anything(),
      name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      input: fc.jsonValue(),
      inputTokens: fc.oneof(fc.nat(), fc.double()),
      outputTokens: fc.oneof(fc.nat(), fc.double()),
    })
    .map((event) => safeStringify(event)),
)

/** Lines that are not a message of any protocol: broken text, pieces of real lines, brackets. */
export function garbageLine(realLines: readonly string[]): fc.Arbitrary<string> {
  const hostile = Object.values(HOSTILE_LINES).filter((line) => line.length <= 200_000)
  const pieces = fc
    .tuple(fc.constantFrom(...realLines, '{"half":'), fc.nat(), fc.nat())
    .map(([line, start, length]) => {
      const from = start % Math.max(1, line.length)
      return line.slice(from, from + 1 + (length % 400))
    })
  const brackets = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\'),
    maxLength: 60,
  })
  const others = fc.oneof(
    { weight: 4, arbitrary: pieces },
    { weight: 2, arbitrary: brackets },
    { weight: 4, arbitrary: anyLine },
    { weight: 1, arbitrary: fc.constantFrom(...hostile) },
  )
  return others.filter((line) => !isJsonObject(line))
}

/** Real lines of a protocol with one value replaced. */
export function mutatedLine(realLines: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...realLines), fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom(null, -1, '')))
    .map(([line, place, value]) => JSON.stringify(mutated(parsed(line), place, value)))
}

/** Replaces one nested value, chosen by `place`. */
export function mutated(value: unknown, place: number, replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null) return replacement
  const keys = Object.keys(value)
  const key = keys[place % Math.max(1, keys.length)]
  if (key === undefined) return replacement
  const inner: unknown = Reflect.get(value, key)
  // A third of all choices end on each level, so that every depth is reached.
  const next = place % 3 === 0 ? replacement : mutated(inner, Math.floor(place / 3), replacement)
  if (Array.isArray(value)) return value.with(Number(key), next)
  return { ...value, [key]: next }
}

function isJsonObject(line: string): boolean {
  const value = parsed(line)
  return typeof value === 'object' && value !== null
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Not JSON, as most callers expect.
    return undefined
  }
}

/** Random values may contain a bigint, which JSON doesn't support. */
function safeStringify(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}
