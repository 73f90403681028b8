/** Why a run can't be continued, by a fork or as it was. */
export type ForkFailure =
  | { readonly type: 'fork-refused'; readonly runId: string; readonly problem: string }
  /**
   * `complete`: it has nothing left to do. `decided`: it ended as its playbook says. `moved-on`: its job has gone on to
   * other things since. `visit`: the visit at which a fork could try again.
   */
  | {
      readonly type: 'run-not-resumable'
      readonly runId: string
      readonly why: 'complete' | 'decided' | 'moved-on'
      readonly visit: number
    }
