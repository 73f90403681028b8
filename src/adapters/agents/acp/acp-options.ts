/** Differences between programs that speak the protocol. */
export type AcpOptions = {
  /** The program's name, and how to log in. Absent: its own description of how to log in. */
  readonly program?: { readonly title: string; readonly login: string }
  /** The login method to try once if the program requires a login to resume a conversation. */
  readonly authenticateBy?: string
  /** Whether the model is requested over the protocol or on the command line. */
  readonly modelBy: 'protocol' | 'command-line'
  /** What marks the end when a program replays an old conversation. */
  readonly replayEnd: 'answer' | 'available-commands'
  /** A prefix for the id of an old conversation, if the program needs another id to load it safely. */
  readonly loadPrefix?: string
}
