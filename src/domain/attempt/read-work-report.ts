import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import type { CriterionResult } from '../task/criterion-result.ts'

/** A worker's report on its own work. Only a claim: criteria count as met once a reviewer has seen them. */
export type WorkReport = {
  readonly summary?: string
  readonly criteria: readonly CriterionResult[]
  /** One line each. */
  readonly learnings: readonly string[]
}

/** Reads whatever is usable in a worker's answer and ignores the rest. */
export function readWorkReport(answer: unknown, criteriaCount: number): WorkReport {
  if (typeof answer !== 'object' || answer === null) return { criteria: [], learnings: [] }
  const summary = 'summary' in answer ? textOf(answer.summary, ANSWER_LIMITS.summaryCharacters) : ''
  return {
    ...(summary === '' ? {} : { summary }),
    criteria: 'criteria' in answer ? criteriaIn(answer.criteria, criteriaCount) : [],
    learnings: 'learnings' in answer ? learningsIn(answer.learnings) : [],
  }
}

function criteriaIn(value: unknown, count: number): readonly CriterionResult[] {
  const criteria = new Map<number, CriterionResult>()
  for (const item of listOf(value)) {
    if (typeof item !== 'object' || item === null || !('criterion' in item)) continue
    const number = Number(item.criterion)
    if (!Number.isInteger(number) || number < 1 || number > count) continue
    // An unmet criterion is an honest report, not a claim.
    if ('met' in item && item.met === false) continue
    const evidence = 'evidence' in item ? textOf(item.evidence, ANSWER_LIMITS.findingCharacters) : ''
    criteria.set(number, { number, isMet: true, evidence, by: 'worker' })
  }
  return [...criteria.values()].sort((one, other) => one.number - other.number)
}

function learningsIn(value: unknown): readonly string[] {
  const lines = listOf(value).map((item) =>
    textOf(item, ANSWER_LIMITS.learningCharacters).replaceAll(/\s+/g, ' '),
  )
  return [...new Set(lines.filter((line) => line !== ''))].slice(0, ANSWER_LIMITS.learnings)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown, limit: number): string {
  return typeof value === 'string' ? value.trim().slice(0, limit) : ''
}
