import { randomBytes } from 'node:crypto'
import { type JsonObject, objectOf } from './json-object.ts'

/** How a service refuses. Texts may contain `{{resetSeconds}}` and `{{resetTime}}`, the end of `lastsMs`. */
export type ScriptedError = {
  readonly status: number
  /** By default, the usual error of the service for this status. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** How often the step fails before it is played; 1 by default. */
  readonly times?: number
  /** How long the step fails after it was first requested. Overrides `times`. */
  readonly lastsMs?: number
}

/** One reply of the model: text, calls, or both. A reply without calls ends the turn. */
export type Step = {
  readonly text?: string
  /** A command for the program's own shell tool. */
  readonly shell?: string
  /** More arguments for the shell tool. */
  readonly params?: JsonObject
  /** A call of this tool with this input. */
  readonly tool?: { readonly name: string; readonly input: JsonObject }
  /** Several calls in one reply. */
  readonly calls?: readonly Pick<Step, 'shell' | 'params' | 'tool'>[]
  readonly delayMs?: number
  /** Sends the text, then hangs until the client disconnects: always, or only so many times. */
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

/** A script and its text. The text is unique, so it distinguishes even scripts with the same steps. */
export type FoundScript = { readonly text: string; readonly steps: readonly Step[] }

/** The text that makes the model play these steps if a prompt contains it. */
export function script(steps: readonly Step[]): string {
  return `@@script:${randomBytes(4).toString('hex')} ${JSON.stringify(steps)} @@end`
}

/** The last script in a text. Throws if the script is invalid. */
export function findScript(text: string): FoundScript | undefined {
  const found = [...text.matchAll(IN_PROMPT)].at(-1)
  return found?.[1] === undefined ? undefined : { text: found[0], steps: requireSteps(parseQuoted(found[1])) }
}

export function hasScript(text: string): boolean {
  return text.match(IN_PROMPT) !== null
}

/** A misspelt step would silently become an empty reply, so it is refused. */
export function requireSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError('a script is a list of steps')
  for (const step of value) {
    const unknown = Object.keys(objectOf(step)).find((key) => !KEYS.has(key))
    if (unknown !== undefined) throw new TypeError(`a step has no "${unknown}"`)
    if (Object.keys(objectOf(step)).length === 0) throw new TypeError('a step must not be empty')
  }
  return value as readonly Step[]
}

/** Some programs escape the prompt that they got as an argument. */
function parseQuoted(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!text.includes('\\"')) throw error
    return JSON.parse(text.replaceAll('\\"', '"'))
  }
}
