import { createInterface } from 'node:readline/promises'
import type { CommandNeeds } from '../command-needs.ts'
import { stopSignals } from '../stop-signals.ts'

export type PersonAnswer = 'yes' | 'no' | 'stopped'

/** Asks a question at the terminal. Anything but yes is no. `stopped`: by Ctrl-C or the end of the input. */
export async function askPerson(
  needs: Pick<CommandNeeds, 'surroundings' | 'output'>,
  question: string,
): Promise<PersonAnswer> {
  const { stdin, stdout } = needs.surroundings
  using stop = stopSignals(needs.surroundings)
  const signal = AbortSignal.any([stop.signal, needs.output.closed])
  const terminal = createInterface({ input: stdin, output: stdout })
  const ended = new AbortController()
  terminal.once('close', () => ended.abort())
  try {
    const answer = await terminal.question(`${question} [y/N] `, {
      signal: AbortSignal.any([signal, ended.signal]),
    })
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no'
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return endLine(stdout)
    throw error
  } finally {
    terminal.close()
  }
}

/** The cursor is still behind the question. */
function endLine(stdout: CommandNeeds['surroundings']['stdout']): 'stopped' {
  stdout.write('\n')
  return 'stopped'
}
