import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { isAnswerFields, listOf, textOf, wholeNumberOf } from './answer-fields.ts'
import type { ClauseEvidence } from './discovery-answer.ts'

const MAX_NAMED = 5
const MAX_CLAUSE = 100

/**
 * Reads, clause by clause, what shows that a goal is reached. Plain texts count for the clauses in order if there are
 * as many of them. A goal with one clause accepts any text.
 */
export function readEvidence(value: unknown, clauses: readonly string[]): readonly ClauseEvidence[] {
  const items = listOf(value)
  const texts = items.filter((item) => typeof item === 'string')
  const isInOrder = clauses.length === 1 || texts.length === clauses.length
  const pairs = [
    ...items
      .filter(isAnswerFields)
      .map((item) => [wholeNumberOf(item.clause), textOf(item.evidence)] as const),
    ...(isInOrder ? texts : []).map(
      (text, index) => [clauses.length === 1 ? 1 : index + 1, textOf(text)] as const,
    ),
  ]
  return clauses.flatMap((_, index) => {
    const own = pairs.filter(([clause, evidence]) => clause === index + 1 && evidence !== '')
    const evidence = own.map(([, text]) => text).join('; ')
    return evidence === ''
      ? []
      : [{ clause: index + 1, evidence: evidence.slice(0, ANSWER_LIMITS.evidenceCharacters) }]
  })
}

/** Names, in one line, the clauses without evidence; undefined if there are none. */
export function missingEvidence(
  evidence: readonly ClauseEvidence[],
  clauses: readonly string[],
): string | undefined {
  const shown = new Set(evidence.map(({ clause }) => clause))
  const missing = clauses.flatMap((clause, index) =>
    shown.has(index + 1) ? [] : [nameOf(clause, index + 1)],
  )
  if (missing.length === 0) return undefined
  const named = missing.slice(0, MAX_NAMED).join('; ')
  const rest = missing.length - MAX_NAMED
  return `evidence is missing for ${rest > 0 ? `${named}; and ${rest} more` : named}`
}

/** Each clause with its evidence. The clause is omitted if the goal has only one. */
export function evidenceLines(
  evidence: readonly ClauseEvidence[],
  clauses: readonly string[],
): readonly string[] {
  if (clauses.length === 1) return evidence.map((each) => each.evidence)
  return evidence.map((each) => `${shortened(clauses[each.clause - 1] ?? '')} — ${each.evidence}`)
}

function nameOf(clause: string, number: number): string {
  return `clause ${number}: ${shortened(clause)}`
}

function shortened(clause: string): string {
  return clause.length <= MAX_CLAUSE ? clause : `${clause.slice(0, MAX_CLAUSE - 1).trimEnd()}…`
}
