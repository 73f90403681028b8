/** Sent to an agent whose time is over, before its program is stopped. */
export function nudgeFor(graceMs: number): string {
  const seconds = Math.max(1, Math.round(graceMs / 1_000))
  return [
    'Your time is over. Finish now: commit what you have if you were asked to change files, and give the answer that you',
    `were asked for, in its format. If something is missing, say so in the answer. You have ${seconds} seconds.`,
  ].join('\n')
}
