import { shellWord } from '../domain/shell-word.ts'
import { EXAMPLES } from './command-help.ts'
import type { GlobalOptions } from './global-options.ts'

/** Adds flags to the commands in a text, so that a pasted command reaches the same daemon. */
export type Hint = (text: string) => string

const COMMAND = new RegExp(`\\bmuster (?=(?:${Object.keys(EXAMPLES).join('|')})\\b)`, 'g')

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
