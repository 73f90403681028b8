/** One thing the scripted ACP agent does. */
export type Deed = {
  /** `%told%` becomes the number of prompts its conversation has had. */
  readonly say?: string
  readonly shell?: string
  /** A command it asks permission for, and runs if it may. */
  readonly ask?: string
  /** Until it is interrupted. */
  readonly hang?: true
  /** How full its context is, of a hundred. */
  readonly context?: number
  readonly exit?: number
  /** Says this many thousand characters. */
  readonly flood?: number
  /** Answers that its quota is used up, for the first `times` prompts of a conversation. */
  readonly limitMs?: number
  readonly times?: number
  /** What this process does with prompts from now on that name no deeds. */
  readonly later?: readonly Deed[]
}

/** A prompt that makes the agent do these things. */
export function deeds(...list: readonly Deed[]): string {
  return `@@do ${JSON.stringify(list)} @@end`
}

/** The last list in a prompt; a prompt may quote earlier ones. */
export function readDeeds(prompt: string): readonly Deed[] | undefined {
  const found = [...prompt.matchAll(/@@do (.*?) @@end/gs)].at(-1)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as readonly Deed[])
}
