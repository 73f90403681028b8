/** One thing the scripted ACP agent does. */
export type Deed = {
  /** Prints this text. `%told%` becomes the number of prompts in the conversation so far. */
  readonly say?: string
  readonly shell?: string
  /** Asks for permission to run this command, and runs it if allowed. */
  readonly ask?: string
  /** Hangs until it is interrupted. */
  readonly hang?: true
  /** Reports this many used tokens of a context of 100. */
  readonly context?: number
  readonly exit?: number
  /** Prints this many thousand characters. */
  readonly flood?: number
  /** Reports for the first `times` prompts of a conversation that its quota is used up. */
  readonly limitMs?: number
  readonly times?: number
  /** Reports for the first `times` prompts of a conversation that its key is wrong. */
  readonly badKey?: true
  /** What the agent does from now on, in this conversation, for prompts without deeds. */
  readonly later?: readonly Deed[]
}

/** A prompt that makes the agent do these things. */
export function deeds(...list: readonly Deed[]): string {
  return `@@do ${JSON.stringify(list)} @@end`
}

/** The last list of deeds in a prompt, because a prompt may quote earlier lists. */
export function readDeeds(prompt: string): readonly Deed[] | undefined {
  const found = [...prompt.matchAll(/@@do (.*?) @@end/gs)].at(-1)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as readonly Deed[])
}
