/** How to return to a job that one has stopped watching. */
export function comeBackLines(jobId: string): readonly string[] {
  return [
    'the job goes on without you',
    `  follow it again:  muster events ${jobId} -f`,
    `  look at it:       muster status ${jobId}`,
    `  end it:           muster cancel ${jobId}`,
  ]
}
