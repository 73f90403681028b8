const MAX_REASON = 300

/** The one line of a reason that a state stores; the details are kept elsewhere. */
export function reasonLine(reason: string): string {
  const line = (reason.trim().split(/\r?\n|\r/, 1)[0] ?? '').trim().replace(/:$/, '')
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1).trimEnd()}…`
}
