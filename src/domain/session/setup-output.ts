/** Muster prints these lines before and after the output of setup commands, on standard error. */
export const SETUP_STARTS = 'muster: running setup'
export const SETUP_ENDS = 'muster: setup finished'

/** The error output of a program, without that of the setup commands before it. If setup failed, that is all of it. */
export function withoutSetupOutput(text: string): string {
  const lines = text.split('\n')
  const end = lines.findLastIndex((line) => line.trimEnd() === SETUP_ENDS)
  return lines
    .slice(end + 1)
    .filter((line) => line.trimEnd() !== SETUP_STARTS)
    .join('\n')
}
