import { isAnswerFields, listOf, textOf, wholeNumberOf } from './answer-fields.ts'
import type { ClauseEvidence } from './discovery-answer.ts'

const MAX_EVIDENCE = 2_000
const MAX_NAMED = 5
const MAX_CLAUSE = 100

/**
 * What shows, clause by clause, that a goal is reached. Plain texts count for the clauses in their places when
 * there are as many of them; of a goal with one clause, any text does.
 */
export function readEvidence(value: unknown, clauses: readonly string[]): readonly ClauseEvidence[] {
  const items = listOf(value)
  const texts = items.filter((item) => typeof item === 'string')
  const isInPlaces = clauses.length === 1 || texts.length === clauses.length
  const said = [
    ...items
      .filter(isAnswerFields)
      .map((item) => [wholeNumberOf(item.clause), textOf(item.evidence)] as const),
    ...(isInPlaces ? texts : []).map(
      (text, index) => [clauses.length === 1 ? 1 : index + 1, textOf(text)] as const,
    ),
  ]
  return clauses.flatMap((_, index) => {
    const own = said.filter(([clause, evidence]) => clause === index + 1 && evidence !== '')
    const evidence = own.map(([, text]) => text).join('; ')
    return evidence === '' ? [] : [{ clause: index + 1, evidence: evidence.slice(0, MAX_EVIDENCE) }]
  })
}

/** Says, in one line, which clauses have no evidence; nothing when all have. */
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

/** Each clause beside what shows that it holds. A goal of one clause is not said again. */
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
