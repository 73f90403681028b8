import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import type { TaskDraft } from '../task/task.ts'

type AnswerField = 'tasks' | 'reasoning' | 'blockers' | 'done' | 'evidence' | 'learnings'
type EvidenceField = 'clause'
type ChoiceField = 'inputs'

/** An answer, or a part of one, before its fields are checked. */
export type AnswerFields = Readonly<
  Partial<Record<AnswerField | EvidenceField | ChoiceField | keyof TaskDraft, unknown>>
>

export function isAnswerFields(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** A single text counts as a list of one; anything that is not text is dropped. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== '')
}

/** A list is bounded; anything else counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ANSWER_LIMITS.listItems) : [value]
}

/** A number, even if it was written as text. */
export function wholeNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** What kind of value this is, for messages like "must be a list, but is a text". */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
