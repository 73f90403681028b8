import { VALUE_FLAGS } from './global-options.ts'

/** What `muster help ...` asks for. */
export type HelpWords = {
  /** The flags, with their values. */
  readonly flags: readonly string[]
  /** The words that name a command. */
  readonly named: readonly string[]
  /** The help of all commands. */
  readonly isFull: boolean
  readonly isManual: boolean
}

const OWN_FLAGS: readonly string[] = ['--all', '--man']

/** Undefined if the words don't ask for help with `help`. Flags may stand anywhere. */
export function helpWords(words: readonly string[]): HelpWords | undefined {
  const flags: string[] = []
  const named: string[] = []
  for (const [index, word] of words.entries()) {
    const isValue = VALUE_FLAGS.includes(words[index - 1] ?? '')
    if (isValue || word.startsWith('-')) flags.push(word)
    else named.push(word)
  }
  if (named[0] !== 'help') return undefined
  return {
    flags: flags.filter((word) => !OWN_FLAGS.includes(word)),
    named: named.slice(1),
    isFull: flags.includes('--all'),
    isManual: flags.includes('--man'),
  }
}
