/** What follows from an outcome, wherever its playbook leads. */
type Fact =
  /** The stage did what it is for. */
  | 'good'
  /** It leads a run away from what was hoped for. */
  | 'setback'
  /** The stage failed or was left out: nothing came of it. */
  | 'in-vain'
  /** There is nothing that later stages could use. */
  | 'without-result'
  /** A person didn't agree to the work. */
  | 'refusal'

/** Every outcome of a visit or of an entry, except those of a choice. A new one has to be judged here. */
const FACTS = {
  done: ['good'],
  APPROVED: ['good'],
  NEEDS_REVISION: ['setback'],
  REJECTED: ['setback'],
  failed: ['setback', 'in-vain', 'without-result'],
  pass: ['good'],
  fail: ['setback'],
  allowed: ['good'],
  denied: ['setback', 'refusal'],
  expired: ['setback', 'refusal', 'without-result'],
  /** A gate whose condition isn't met, or a stage that a fork leaves out. */
  skipped: ['in-vain', 'without-result'],
  complete: ['good'],
  partial: ['setback'],
  some: ['good'],
  one: ['good'],
  none: ['setback'],
} as const satisfies Readonly<Record<string, readonly Fact[]>>

/** An outcome that a playbook can route. */
export type RoutedOutcome = keyof typeof FACTS

/** How a visit or an entry into a stage ended. A choice ends with the index of its case, or `else`. */
export type Outcome = RoutedOutcome | `${number}` | 'else'

export function isGood(outcome: string | undefined): boolean {
  return has(outcome, 'good')
}

export function isSetback(outcome: string | undefined): boolean {
  return has(outcome, 'setback')
}

export function isInVain(outcome: string | undefined): boolean {
  return has(outcome, 'in-vain')
}

export function isWithoutResult(outcome: string | undefined): boolean {
  return has(outcome, 'without-result')
}

export function isRefusal(outcome: string | undefined): boolean {
  return has(outcome, 'refusal')
}

function has(outcome: string | undefined, fact: Fact): boolean {
  if (outcome === undefined || !Object.hasOwn(FACTS, outcome)) return false
  const facts: readonly Fact[] = FACTS[outcome as RoutedOutcome]
  return facts.includes(fact)
}
