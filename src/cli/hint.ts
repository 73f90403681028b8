import { EXAMPLES } from './command-help.ts'
import type { GlobalOptions } from './global-options.ts'

/** A text with commands in it, each with the flags that make it mean the same daemon when it is pasted. */
export type Hint = (text: string) => string

const COMMAND = new RegExp(`\\bmuster (?=(?:${Object.keys(EXAMPLES).join('|')})\\b)`, 'g')
const PLAIN_WORD = /^[\w@%+=:,./-]+$/

export function createHint(options: Pick<GlobalOptions, 'home' | 'server' | 'tokenFile'>): Hint {
  const flags = [
    ...flag('--home', options.home),
    ...flag('--server', options.server),
    ...flag('--token-file', options.tokenFile),
  ]
  if (flags.length === 0) return (text) => text
  const start = `muster ${flags.join(' ')} `
  return (text) => text.replaceAll(COMMAND, () => start)
}

function flag(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${name} ${shellWord(value)}`]
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
