export type ResumeReason =
  | { readonly type: 'asked' }
  /** Repeats the first prompt, because some programs forget a turn that was cut off. */
  | { readonly type: 'limited' | 'unready'; readonly firstPrompt: string }

const CAUSES = {
  limited:
    'Your work was interrupted because your quota was used up. You have quota again: continue where you left off.',
  unready: 'Your work was interrupted because your model could not be used. Continue where you left off.',
} as const satisfies Record<Exclude<ResumeReason['type'], 'asked'>, string>

/** The prompt of a session that is resumed. */
export function resumePrompt(reason: ResumeReason): string {
  if (reason.type === 'asked') return 'Continue where you left off. Your working directory is as you left it.'
  return [
    CAUSES[reason.type],
    'Your working directory is as you left it. For reference, this is what you were asked to do:',
    '',
    reason.firstPrompt,
  ].join('\n')
}
