export type ResumeReason =
  | { readonly type: 'asked' }
  /** The first prompt is given again: some programs forget a turn that was cut off by a limit. */
  | { readonly type: 'limited'; readonly firstPrompt: string }

/** What a session is told that goes on after a rest. */
export function resumePrompt(reason: ResumeReason): string {
  if (reason.type === 'asked') return 'Go on where you left off. Your working directory is as you left it.'
  return [
    'Your work was cut off because the quota was used up. There is quota again: go on where you left off.',
    'Your working directory is as you left it. For reference, this is what you were asked to do:',
    '',
    reason.firstPrompt,
  ].join('\n')
}
