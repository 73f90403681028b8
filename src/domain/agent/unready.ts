/** Why an agent's program can't work now, and what a person can do about it. */
export type Unready = {
  /** `login`: no log-in, or a wrong key. `network`: its model can't be reached. `version`: the program is too old. */
  readonly cause: 'login' | 'network' | 'version'
  /** What is wrong, without a full stop: "Claude Code is not logged in". */
  readonly reason: string
  /** What to do, without a full stop: "Run `claude` and log in". */
  readonly remedy: string
}

/** As one line, with the command that continues afterwards: "... Run `claude` and log in, then: muster resume job_0mw". */
export function describeUnready({ reason, remedy }: Omit<Unready, 'cause'>, next?: string): string {
  return `${reason}. ${remedy}${next === undefined ? '.' : `, then: ${next}`}`
}
