/** Muster prints these lines before and after the output of setup commands, on standard error. */
export const SETUP_STARTS = 'muster: running setup'
export const SETUP_ENDS = 'muster: setup finished'

/** Muster prints such a line before each setup command except the first. */
const SETUP_COMMAND = /^muster: setup command (\d+) of \d+\s*$/

/** How far the setup commands before a program have come. `number` is that of the command that is running. */
export type SetupProgress =
  | { readonly type: 'running'; readonly number: number }
  | { readonly type: 'finished' }

/** How far setup has come after this line of error output; undefined if it hasn't started. It ends only once. */
export function nextSetupProgress(
  progress: SetupProgress | undefined,
  line: string,
): SetupProgress | undefined {
  if (progress === undefined)
    return line.trimEnd() === SETUP_STARTS ? { type: 'running', number: 1 } : undefined
  if (progress.type === 'finished') return progress
  if (line.trimEnd() === SETUP_ENDS) return { type: 'finished' }
  const number = SETUP_COMMAND.exec(line)?.[1]
  return number === undefined ? progress : { type: 'running', number: Number(number) }
}

/** The error output of a program, without that of the setup commands before it. If setup failed, that is all of it. */
export function withoutSetupOutput(text: string): string {
  const lines = text.split('\n')
  const end = lines.findLastIndex((line) => line.trimEnd() === SETUP_ENDS)
  return lines
    .slice(end + 1)
    .filter((line) => line.trimEnd() !== SETUP_STARTS && !SETUP_COMMAND.test(line))
    .join('\n')
}
