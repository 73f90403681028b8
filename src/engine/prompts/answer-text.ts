import { OUTPUT_SCHEMAS } from '../../domain/playbook/output-format.ts'
import type { ValueSchema } from '../../domain/playbook/value-schema.ts'
import { describeIssues } from '../../domain/review/describe-issues.ts'
import type { ReviewIssue } from '../../domain/review/verdict.ts'

/** Values that are nested deeper than this are shown as JSON. */
const MAX_DEPTH = 4
const INDENT = '   '

/** Fields that say what the rest is about. */
const HEADS = ['title', 'verdict', 'choice', 'summary', 'approach', 'name', 'claim', 'risk']
/** The database doesn't keep the order of an answer's fields, so they are shown in this one. */
const ORDER = [...HEADS, ...Object.values(OUTPUT_SCHEMAS).flatMap(namesIn)]

type Fields = Readonly<Record<string, unknown>>

/** An answer of an earlier visit as somebody would write it down: headings, numbered lists and text instead of JSON. */
export function answerText(answer: unknown): string {
  if (!isFields(answer)) return valueText(answer, 0)
  const { title, text, ...others } = answer
  if (typeof title === 'string' && typeof text === 'string' && Object.keys(others).length === 0) {
    return `# ${title}\n\n${text}`
  }
  return fieldsText(answer, 0)
}

function valueText(value: unknown, depth: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if (depth >= MAX_DEPTH) return JSON.stringify(value)
  return Array.isArray(value) ? listText(value, depth) : fieldsText(value as Fields, depth)
}

function fieldsText(fields: Fields, depth: number): string {
  const parts = inOrder(fields).flatMap(([name, value]) => {
    const text = valueText(value, depth + 1)
    if (text === '') return []
    const isBlock = typeof value === 'object' || text.includes('\n')
    return [isBlock ? `${labelOf(name)}:\n${text}` : `${labelOf(name)}: ${text}`]
  })
  return parts.join('\n')
}

function listText(list: readonly unknown[], depth: number): string {
  if (list.length > 0 && list.every(isIssue)) return describeIssues({ summary: '', issues: list })
  return list.map((entry, index) => entryText(entry, index + 1, depth)).join('\n')
}

/** An entry begins with the field that says what it is about, if it has one; the others follow below it. */
function entryText(entry: unknown, number: number, depth: number): string {
  if (!isFields(entry)) return `${number}. ${indented(valueText(entry, depth + 1))}`
  if (typeof entry['criterion'] === 'number') return criterionText(entry)
  const head = HEADS.find((name) => typeof entry[name] === 'string')
  if (head === undefined) return `${number}. ${indented(fieldsText(entry, depth + 1))}`
  const { [head]: first, ...others } = entry
  const lines = [valueText(first, depth + 1), fieldsText(others, depth + 1)].filter((line) => line !== '')
  return `${number}. ${indented(lines.join('\n'))}`
}

function inOrder(fields: Fields): readonly (readonly [string, unknown])[] {
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return Object.entries(fields).toSorted(([one], [two]) => rank(one) - rank(two) || (one < two ? -1 : 1))
}

function namesIn(schema: ValueSchema): readonly string[] {
  if (schema.type === 'array') return namesIn(schema.items)
  if (schema.type !== 'object') return []
  return Object.entries(schema.properties).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

function criterionText({ criterion, met, evidence }: Fields): string {
  const why = typeof evidence === 'string' && evidence !== '' ? `: ${evidence}` : ''
  return `Criterion ${criterion} is ${met === true ? 'met' : 'not met'}${why}`
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${INDENT}`)
}

/** `openQuestions` reads as "Open questions". */
function labelOf(name: string): string {
  const words = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIssue(value: unknown): value is ReviewIssue {
  if (!isFields(value)) return false
  return ['severity', 'location', 'issue', 'suggestion'].every((field) => typeof value[field] === 'string')
}
