import type { AnswerSchema } from '../agent/answer-schema.ts'
import { kindOf } from '../discovery/answer-fields.ts'
import { RUN_LIMITS } from '../limits/run-limits.ts'
import { type OwnSchema, type OwnType, readOwnSchema } from '../playbook/own-schema.ts'
import { failure, type Result, success } from '../result.ts'

const MAX_FAULTS = 3

/** Checks an answer against a playbook's own JSON Schema. A failure is one sentence that can be sent to the agent. */
export function checkOwnAnswer(schema: AnswerSchema, answer: object): Result<object, string> {
  const read = readOwnSchema(schema)
  if (!read.ok) return failure(`the schema of the playbook can't be used: ${read.failure}`)
  const check: Check = { steps: RUN_LIMITS.checkSteps, faults: [] }
  const checked = fitted(check, read.value, answer, [])
  if (check.steps < 0) return failure('the answer is too large to be checked against its schema')
  if (check.faults.length === 0) return success(checked as object)
  const faults = check.faults.map(({ path, problem }) => `${nameOf(path)}: ${problem}`)
  const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  const shown = [...faults.slice(0, MAX_FAULTS), ...rest]
  return failure(`the answer does not fit its schema: ${shown.join('; ')}`)
}

type Path = readonly (string | number)[]

/** A check stops when its steps are used up, so a schema and an answer can't make it take long. */
type Check = {
  steps: number
  readonly faults: { readonly path: Path; readonly problem: string }[]
}

function nameOf(path: Path): string {
  return path.length === 0 ? 'the answer' : `\`${path.join('.')}\``
}

/** The value with its defaults filled in. Adds a fault for everything that doesn't fit. */
function fitted(check: Check, schema: OwnSchema, value: unknown, path: Path): unknown {
  check.steps -= 1
  if (check.steps < 0) return value
  const problem = problemOf(schema, value)
  if (problem !== undefined) {
    check.faults.push({ path, problem })
    return value
  }
  if (!fitsAny(check, schema.alternatives, value)) {
    check.faults.push({ path, problem: 'it fits none of the alternatives' })
    return value
  }
  if (Array.isArray(value)) return fittedList(check, schema, value, path)
  return typeof value === 'object' && value !== null ? fittedObject(check, schema, value, path) : value
}

function fitsAny(check: Check, alternatives: readonly OwnSchema[], value: unknown): boolean {
  if (alternatives.length === 0) return true
  return alternatives.some((alternative) => {
    const trial: Check = { steps: check.steps, faults: [] }
    fitted(trial, alternative, value, [])
    check.steps = trial.steps
    return trial.faults.length === 0
  })
}

function fittedList(check: Check, { items }: OwnSchema, value: readonly unknown[], path: Path): unknown {
  if (items === undefined) return value
  return value.map((entry, index) => fitted(check, items, entry, [...path, index]))
}

function fittedObject(check: Check, schema: OwnSchema, value: object, path: Path): unknown {
  const given = new Map<string, unknown>(Object.entries(value))
  const parts = Object.entries(schema.fields)
  const isAbsent = (name: string) => !given.has(name)
  for (const name of schema.required.filter(isAbsent)) {
    check.faults.push({ path: [...path, name], problem: 'it is missing' })
  }
  for (const [name, part] of parts) {
    if (!isAbsent(name)) given.set(name, fitted(check, part, given.get(name), [...path, name]))
    else if ('default' in part) given.set(name, part.default)
  }
  if (schema.isClosed) {
    const surplus = [...given.keys()].find((name) => !Object.hasOwn(schema.fields, name))
    if (surplus !== undefined)
      check.faults.push({ path: [...path, surplus], problem: 'there is no such field' })
  }
  return Object.fromEntries(given)
}

/** What is wrong with a value itself, apart from what it contains. */
function problemOf(schema: OwnSchema, value: unknown): string | undefined {
  if (value === null && schema.isNullable) return undefined
  const { type, values } = schema
  if (type !== undefined && !isOfType(type, value))
    return `it must be ${WORDS[type]}, but it is ${kindOf(value)}`
  if (values !== undefined && !values.some((one) => one === value)) {
    return `it must be one of: ${values.slice(0, RUN_LIMITS.shownValues).map(String).join(', ')}`
  }
  return boundProblem(schema, value)
}

const WORDS: Readonly<Record<OwnType, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

function isOfType(type: OwnType, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function boundProblem({ least, most }: OwnSchema, value: unknown): string | undefined {
  const [size, unit] = sizeOf(value)
  if (size === undefined) return undefined
  if (least !== undefined && size < least) return `it must have at least ${least}${unit}`
  return most !== undefined && size > most ? `it must have at most ${most}${unit}` : undefined
}

function sizeOf(value: unknown): readonly [number | undefined, string] {
  if (typeof value === 'number') return [value, '']
  if (typeof value === 'string') return [value.length, ' characters']
  return Array.isArray(value) ? [value.length, ' entries'] : [undefined, '']
}
