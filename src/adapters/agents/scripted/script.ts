/** The value of each step of a script. A step is a mapping with its name as the only key. */
export type StepValues = {
  /** Prints a line of text. */
  readonly say: string
  /** Prints a value as one line of JSON. */
  readonly emit: unknown
  readonly write: FileText
  readonly append: FileText
  readonly remove: string
  /** Commits everything in the tree, with this message. */
  readonly commit: string
  /** Runs a program in the tree. If the program fails, the play ends with its exit code. */
  readonly run: readonly [string, ...string[]]
  /** Milliseconds. */
  readonly sleep: number
  /** Prints the answer as a result line. */
  readonly result: Readonly<Record<string, unknown>>
  readonly 'error-line': string
  readonly exit: number
  /** Kills the player with a signal. */
  readonly crash: 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' | 'SIGABRT'
  readonly spam: { readonly lines: number; readonly text?: string | undefined }
  /** Waits until the file exists. Fails after `seconds` (60). */
  readonly 'wait-for': { readonly file: string; readonly seconds?: number | undefined }
  /** Creates a file at an absolute path, as a signal to someone outside the tree. */
  readonly touch: string
}

export type StepName = keyof StepValues
export type Step = { [Name in StepName]: { readonly [Key in Name]: StepValues[Name] } }[StepName]

/** The conditions under which a scene plays. All of them must hold. */
export type Cue = {
  readonly role?: string | undefined
  readonly cycle?: number | undefined
  readonly attempt?: number | undefined
  /** The stage of a playbook. */
  readonly stage?: string | undefined
  /** How often the run has entered that stage. */
  readonly round?: number | undefined
  /** Part of the task's description, or a regular expression between slashes. */
  readonly task?: string | undefined
}

export type Scene = { readonly when?: Cue | undefined; readonly steps: readonly Step[] }

/** The scenes of a scripted agent. The first one whose conditions hold is played. */
export type Script = readonly Scene[]

type FileText = { readonly path: string; readonly text: string }
