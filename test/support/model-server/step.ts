import { randomBytes } from 'node:crypto'
import { type JsonObject, objectOf } from './json-object.ts'

/** How a model's service refuses. Strings may hold `{{resetSeconds}}` and `{{resetTime}}`, the end of `lastsMs`. */
export type ScriptedError = {
  readonly status: number
  /** What the wire's own error of that status looks like, unless told. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** How often the step fails before it is played; once, unless told. */
  readonly times?: number
  /** Fails for this long after it was first asked for, however often; `times` then counts for nothing. */
  readonly lastsMs?: number
}

/** One reply of the model. Text and calls may stand together; a reply without calls ends the turn. */
export type Step = {
  readonly text?: string
  /** A command for the program's own shell tool. */
  readonly shell?: string
  /** More arguments for that tool, as they are. */
  readonly params?: JsonObject
  /** Exactly this tool with exactly this input. */
  readonly tool?: { readonly name: string; readonly input: JsonObject }
  /** Several calls in one reply. */
  readonly calls?: readonly Pick<Step, 'shell' | 'params' | 'tool'>[]
  readonly delayMs?: number
  /** Says its text and then nothing more until the client goes away: always, or only so many times. */
  readonly hang?: boolean | number
  readonly error?: ScriptedError
}

const KEYS: ReadonlySet<string> = new Set<keyof Step>([
  'text',
  'shell',
  'params',
  'tool',
  'calls',
  'delayMs',
  'hang',
  'error',
])
const IN_PROMPT = /@@script(?::\w+)?\s([\s\S]*?)\s@@end/g

/** A script as it was found. Its text tells it from all others, also from equal ones made at another time. */
export type FoundScript = { readonly text: string; readonly steps: readonly Step[] }

/** The words that make the model play these steps when they stand in a prompt. */
export function script(steps: readonly Step[]): string {
  return `@@script:${randomBytes(4).toString('hex')} ${JSON.stringify(steps)} @@end`
}

/** The last script in a text. Throws when it is none that can be played. */
export function findScript(text: string): FoundScript | undefined {
  const found = [...text.matchAll(IN_PROMPT)].at(-1)
  return found?.[1] === undefined ? undefined : { text: found[0], steps: requireSteps(parseQuoted(found[1])) }
}

export function hasScript(text: string): boolean {
  return text.match(IN_PROMPT) !== null
}

/** A misspelt step would silently be an empty reply: it is refused instead. */
export function requireSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError('a script is a list of steps')
  for (const step of value) {
    const unknown = Object.keys(objectOf(step)).find((key) => !KEYS.has(key))
    if (unknown !== undefined) throw new TypeError(`a step has no "${unknown}"`)
    if (Object.keys(objectOf(step)).length === 0) throw new TypeError('a step says what to do')
  }
  return value as readonly Step[]
}

/** Some programs quote the prompt that they were given as an argument. */
function parseQuoted(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!text.includes('\\"')) throw error
    return JSON.parse(text.replaceAll('\\"', '"'))
  }
}
