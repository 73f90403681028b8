import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { failure, type Result, success } from '../result.ts'
import type { CriterionResult } from '../task/criterion-result.ts'
import type { ReviewIssue, Verdict } from './verdict.ts'

const MAX_WORD = 200

const VERDICTS: Readonly<Record<string, Verdict['type']>> = {
  APPROVED: 'approved',
  NEEDS_REVISION: 'needs-revision',
  REJECTED: 'rejected',
}

type Fields = Readonly<Partial<Record<AnswerField | keyof ReviewIssue | CriterionField, unknown>>>
type AnswerField = 'verdict' | 'summary' | 'issues' | 'criteria'
type CriterionField = 'criterion' | 'met' | 'evidence'

/**
 * Reads the decision in a reviewer's answer. Only the typed field counts, never a sentence around it, and an answer
 * that contradicts itself decides nothing. A failure is text that can be sent to the reviewer.
 */
export function readVerdict(answer: unknown, criteriaCount: number): Result<Verdict, string> {
  if (!isFields(answer)) return failure('the answer must be one JSON object with a `verdict`')
  const type = typeOf(answer.verdict)
  if (type === undefined) {
    return failure('`verdict` must be one of "APPROVED", "NEEDS_REVISION" and "REJECTED"')
  }
  const issues = readIssues(answer.issues)
  if (!issues.ok) return issues
  const criteria = readCriteria(answer.criteria, criteriaCount)
  if (!criteria.ok) return criteria
  const verdict: Verdict = {
    type,
    summary: textOf(answer.summary, ANSWER_LIMITS.summaryCharacters),
    issues: issues.value,
    criteria: criteria.value,
  }
  const contradiction = contradictionIn(verdict)
  return contradiction === undefined ? success(verdict) : failure(contradiction)
}

function typeOf(verdict: unknown): Verdict['type'] | undefined {
  if (typeof verdict !== 'string') return undefined
  const word = verdict.trim().toUpperCase()
  return Object.hasOwn(VERDICTS, word) ? VERDICTS[word] : undefined
}

function contradictionIn({ type, summary, issues, criteria }: Verdict): string | undefined {
  if (type === 'needs-revision' && issues.length === 0) {
    return '"NEEDS_REVISION" needs at least one entry in `issues`: what to revise'
  }
  if (type === 'rejected' && issues.length === 0 && summary === '') {
    return '"REJECTED" needs at least one entry in `issues`, or a `summary`: why it is rejected'
  }
  const unmet = criteria.find(({ isMet }) => !isMet)
  if (type === 'approved' && unmet !== undefined) {
    return `criterion ${unmet.number} is not met, so the verdict can't be "APPROVED": use "NEEDS_REVISION" with an issue`
  }
  return undefined
}

function readIssues(value: unknown): Result<readonly ReviewIssue[], string> {
  if (value === undefined || value === null) return success([])
  if (!Array.isArray(value)) return failure('`issues` must be a list')
  const issues: ReviewIssue[] = []
  for (const [index, item] of value.slice(0, ANSWER_LIMITS.reviewIssues).entries()) {
    const issue = isFields(item) ? textOf(item.issue, ANSWER_LIMITS.findingCharacters) : ''
    if (!isFields(item) || issue === '') return failure(`issue ${index + 1} has no text in \`issue\``)
    issues.push({
      severity: textOf(item.severity, MAX_WORD),
      location: textOf(item.location, MAX_WORD),
      issue,
      suggestion: textOf(item.suggestion, ANSWER_LIMITS.findingCharacters),
    })
  }
  return success(issues)
}

function readCriteria(value: unknown, count: number): Result<readonly CriterionResult[], string> {
  if (value === undefined || value === null) return success([])
  if (!Array.isArray(value)) return failure('`criteria` must be a list')
  const criteria = new Map<number, CriterionResult>()
  for (const item of value) {
    if (isUnknownCriterion(item, count)) continue
    const criterion = isFields(item)
      ? readCriterion(item, count)
      : failure('each entry in `criteria` must be an object')
    if (!criterion.ok) return criterion
    const { number } = criterion.value
    if (criteria.has(number)) return failure(`criterion ${number} is listed more than once`)
    criteria.set(number, criterion.value)
  }
  return success([...criteria.values()].sort((one, other) => one.number - other.number))
}

/** A reviewer that also lists unknown criteria has not said anything against the work. */
function isUnknownCriterion(item: unknown, count: number): boolean {
  if (!isFields(item) || item.met !== true) return false
  return typeof item.criterion === 'number' && item.criterion > count
}

function readCriterion(item: Fields, count: number): Result<CriterionResult, string> {
  const { criterion, met } = item
  if (typeof criterion !== 'number' || !Number.isInteger(criterion) || criterion < 1 || criterion > count) {
    return failure(`\`criterion\` must be the number of a success criterion; there are ${count}`)
  }
  if (typeof met !== 'boolean') return failure(`\`met\` of criterion ${criterion} must be true or false`)
  return success({
    number: criterion,
    isMet: met,
    evidence: textOf(item.evidence, ANSWER_LIMITS.findingCharacters),
    by: 'reviewer',
  })
}

function textOf(value: unknown, limit: number): string {
  return typeof value === 'string' ? value.trim().slice(0, limit) : ''
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
