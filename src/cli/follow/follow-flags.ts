/**
 * `left`: the person stopped watching, but the job continues. `closed`: no one reads the output any more. `asked`: the
 * job waits for a decision about its base, and without a terminal, no one may be there to make it.
 */
export type FollowEnd = 'ended' | 'left' | 'closed' | 'asked'

/**
 * How a person wants to follow a job. `run`: the run whose stages are shown, if not the one that last started. `only`: only
 * what happens to the task of that run, until the run ends.
 */
export type FollowFlags = {
  readonly notify?: boolean
  readonly run?: string
  readonly only?: { readonly taskId: string }
}
