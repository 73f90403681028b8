import { PassThrough } from 'node:stream'
import { CommanderError } from 'commander'
import { createCommandTree } from '../../src/cli/command-tree.ts'

/** Sentences often leave out arguments, show placeholders as values, and name groups of commands. */
const INCOMPLETE: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.invalidArgument',
  'commander.help',
])

/** Why a command isn't one of Muster's, or undefined. Nothing is run. */
export function commandProblem(text: string): string | undefined {
  const words = [...text.replace(/ \.\.\.$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  )
  const tree = createCommandTree({ stdout: new PassThrough(), version: '0' }, async () => {})
  try {
    tree.parse(words.slice(1), { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return INCOMPLETE.has(error.code) ? undefined : error.message
  }
}
