/** Exit codes of commands. Scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  conflict: 3,
  notPermitted: 4,
  unreachable: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
