import type { Hint } from '../hint.ts'

/** How to return to a job that one has stopped watching. */
export function comeBackLines(jobId: string, hint: Hint): readonly string[] {
  return [
    'the job goes on without you',
    `  follow it again:  ${hint(`muster watch ${jobId}`)}`,
    `  look at it:       ${hint(`muster status ${jobId}`)}`,
    `  end it:           ${hint(`muster cancel ${jobId}`)}`,
  ]
}
