/** Muster prints these lines before and after the output of setup commands, on standard error. */
export const SETUP_STARTS = 'muster: running setup'
export const SETUP_ENDS = 'muster: setup finished'

/** Muster prints such a line before each setup command except the first. */
const SETUP_COMMAND = /^muster: setup command (\d+) of \d+\s*$/

/** The number of the setup command that runs after these lines of output; undefined if setup has finished. */
export function runningSetup(lines: readonly string[]): number | undefined {
  if (lines.some((line) => line.trimEnd() === SETUP_ENDS)) return undefined
  const last = lines.findLast((line) => SETUP_COMMAND.test(line))
  return last === undefined ? 1 : Number(SETUP_COMMAND.exec(last)?.[1])
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
