import type { ObjectSchema } from '../playbook/value-schema.ts'
import { failure, type Result, success } from '../result.ts'
import { ANSWER, readObject } from '../run/read-value.ts'
import type { Verdict, VerdictWord } from './verdict.ts'
import { type ReviewAnswer, type ReviewedCriterion, VERDICT_SCHEMA } from './verdict-schema.ts'

const TYPES: Readonly<Record<VerdictWord, Verdict['type']>> = {
  APPROVED: 'approved',
  NEEDS_REVISION: 'needs-revision',
  REJECTED: 'rejected',
}

/** They may be left out, but what doesn't fit in them isn't dropped: it could be what speaks against the work. */
const DECISIVE = ['issues', 'criteria'] as const

type Fields = Readonly<Partial<Record<(typeof DECISIVE)[number], unknown>>>

/**
 * Reads a reviewer's answer. Only its typed fields count, never a sentence around them, and an answer that contradicts
 * itself decides nothing. A failure is text that can be sent to the reviewer.
 */
export function readReview(answer: unknown, criteriaCount: number): Result<ReviewAnswer, string> {
  if (!isFields(answer)) return failure('the answer must be one JSON object with a `verdict`')
  const given = DECISIVE.filter((field) => answer[field] !== undefined && answer[field] !== null)
  const unlisted = given.find((field) => !Array.isArray(answer[field]))
  if (unlisted !== undefined) return failure(`\`${unlisted}\` must be a list`)
  const schema: ObjectSchema = { ...VERDICT_SCHEMA, required: [...VERDICT_SCHEMA.required, ...given] }
  const read = readObject(schema, answer, ANSWER)
  if (!read.ok) return read
  const fields = read.value as ReviewAnswer
  const criteria = numberedCriteria(fields.criteria, criteriaCount)
  if (!criteria.ok) return criteria
  const review = { ...fields, criteria: criteria.value }
  const contradiction = contradictionIn(review)
  return contradiction === undefined ? success(review) : failure(contradiction)
}

/** Reads the decision in a reviewer's answer. */
export function readVerdict(answer: unknown, criteriaCount: number): Result<Verdict, string> {
  const review = readReview(answer, criteriaCount)
  return review.ok ? success(verdictFrom(review.value)) : review
}

function verdictFrom({ verdict, summary, issues, criteria }: ReviewAnswer): Verdict {
  return {
    type: TYPES[verdict],
    summary,
    issues,
    criteria: criteria.map(({ criterion, met, evidence }) => ({
      number: criterion,
      isMet: met,
      evidence,
      by: 'reviewer',
    })),
  }
}

function contradictionIn({ verdict, summary, issues, criteria }: ReviewAnswer): string | undefined {
  if (verdict === 'NEEDS_REVISION' && issues.length === 0) {
    return '"NEEDS_REVISION" needs at least one entry in `issues`: what to revise'
  }
  if (verdict === 'REJECTED' && issues.length === 0 && summary === '') {
    return '"REJECTED" needs at least one entry in `issues`, or a `summary`: why it is rejected'
  }
  const unmet = criteria.find(({ met }) => !met)
  if (verdict === 'APPROVED' && unmet !== undefined) {
    return `criterion ${unmet.criterion} is not met, so the verdict can't be "APPROVED": use "NEEDS_REVISION" with an issue`
  }
  return undefined
}

/** The criteria by number. A reviewer that also lists unknown ones as met has not said anything against the work. */
function numberedCriteria(
  listed: readonly ReviewedCriterion[],
  count: number,
): Result<readonly ReviewedCriterion[], string> {
  const known = listed.filter(({ criterion, met }) => criterion <= count || !met)
  const numbers = known.map(({ criterion }) => criterion)
  if (numbers.some((number) => number > count)) {
    return failure(`\`criterion\` must be the number of a success criterion; there are ${count}`)
  }
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined) return failure(`criterion ${twice} is listed more than once`)
  return success(known.toSorted((one, other) => one.criterion - other.criterion))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
