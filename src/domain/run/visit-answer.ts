/** How a visit of the checks went: how many passed before one failed, and how much the work changes. */
export type CheckAnswer = {
  readonly passed: number
  readonly output: string
  readonly changedLines: number
}

/** Zeros and no output for a visit that checked nothing. */
export function checkAnswerOf(answer: unknown): CheckAnswer {
  return {
    passed: numberIn(answer, 'passed') ?? 0,
    output: textIn(answer, 'output') ?? '',
    changedLines: numberIn(answer, 'changedLines') ?? 0,
  }
}

/** What an agent says that it did or found; empty if it says nothing. */
export function summaryOf(answer: unknown): string {
  return textIn(answer, 'summary') ?? ''
}

/** What a person said at a gate; empty if they said nothing. */
export function commentOf(answer: unknown): string {
  return textIn(answer, 'comment') ?? ''
}

/** The number of the candidate that a judge chose, from 1; 0 if none. */
export function choiceOf(answer: unknown): number {
  return numberIn(answer, 'choice') ?? 0
}

/** Whether a judge answered that none of the candidates should be taken. */
export function isChoiceOfNone(answer: unknown): boolean {
  return numberIn(answer, 'choice') === 0
}

/** A field of an answer; undefined if it has none of that name. */
export function findField(answer: unknown, field: string): unknown {
  const isRecord = typeof answer === 'object' && answer !== null && Object.hasOwn(answer, field)
  return isRecord ? (answer as Readonly<Record<string, unknown>>)[field] : undefined
}

export function textIn(answer: unknown, field: string): string | undefined {
  const value = findField(answer, field)
  return typeof value === 'string' ? value : undefined
}

/** The texts in a field, whether it is a list or a single text. */
export function textsIn(answer: unknown, field: string): readonly string[] {
  return listIn(answer, field).filter((entry) => typeof entry === 'string')
}

/** The entries of a field. A single value counts as a list of one. */
export function listIn(answer: unknown, field: string): readonly unknown[] {
  const value = findField(answer, field)
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function numberIn(answer: unknown, field: string): number | undefined {
  const value = findField(answer, field)
  return typeof value === 'number' ? value : undefined
}
