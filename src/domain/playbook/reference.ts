/** Names something that a run knows: an input, the goal, the diff of its work, or what a stage gave. */
export type Reference = {
  /** `goal`, `inputs`, `diff`, or the name of a stage. */
  readonly of: string
  /** One field of it; absent for all of it. */
  readonly field?: string
  /** Whether it may be missing because its stage has not run. */
  readonly isOptional: boolean
}

/** What a reference can name besides stages. */
export const RUN_WORDS = ['goal', 'inputs', 'diff'] as const

const REFERENCE = /^([a-z][a-z0-9_-]*)(?:\.([A-Za-z][A-Za-z0-9_]*))?(\?)?$/

/** Reads a reference as a playbook writes it: `goal`, `inputs.n`, `review.issues?`. Undefined if it isn't one. */
export function readReference(text: string): Reference | undefined {
  const match = REFERENCE.exec(text)
  const of = match?.[1]
  if (of === undefined) return undefined
  const field = match?.[2]
  return { of, ...(field === undefined ? {} : { field }), isOptional: match?.[3] === '?' }
}

export function describeReference({ of, field, isOptional }: Reference): string {
  return `${of}${field === undefined ? '' : `.${field}`}${isOptional ? '?' : ''}`
}
