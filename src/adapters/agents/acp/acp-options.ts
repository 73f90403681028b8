/** What differs between programs that speak the protocol. */
export type AcpOptions = {
  /** One sentence on how to log in; the program's own words on it are used when absent. */
  readonly login?: string
  /** The program's name for the way to log in that is tried once when it wants one for an old conversation. */
  readonly authenticateBy?: string
  /** Whether a model is asked for over the protocol, or was already named on the command line. */
  readonly modelBy: 'protocol' | 'command-line'
  /** How a program that repeats an old conversation tells that it is through. */
  readonly replayEnd: 'answer' | 'available-commands'
  /** Put before the name of an old conversation where the program needs another name to load it safely. */
  readonly loadPrefix?: string
}
