import type { TaskDraft } from '../task/task.ts'

const MAX_LIST = 200

type AnswerField = 'tasks' | 'reasoning' | 'blockers' | 'done' | 'evidence' | 'learnings'
type EvidenceField = 'clause'

/** An answer, or a part of one, before anything is known of its fields. */
export type AnswerFields = Readonly<Partial<Record<AnswerField | EvidenceField | keyof TaskDraft, unknown>>>

export function isAnswerFields(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** One text counts as a list of one; what is not text is left out. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== '')
}

/** A list is itself, bounded; anything else is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST) : [value]
}

/** A number, also where it was written as a text. */
export function wholeNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** What kind of thing a value is, for telling what was there instead of what was wanted. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
