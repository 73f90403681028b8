/** One line of what an agent or a person said or did; `verdict`: of what a stage decided. */
export type AgentLine = {
  readonly kind:
    | 'text'
    | 'thought'
    | 'tool'
    | 'ask'
    | 'error'
    | 'note'
    | 'setup'
    | 'person'
    | 'result'
    | 'verdict'
  readonly text: string
  /** Muster itself suggests a command. */
  readonly isCommand?: true
}
