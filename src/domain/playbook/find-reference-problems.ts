import { assertNever } from '../assert-never.ts'
import { RUN_LIMITS } from '../limits/run-limits.ts'
import { eachOf } from './each-of.ts'
import type { FieldKind, Fields } from './field-kind.ts'
import { hasUnknownFormat } from './has-format.ts'
import { formatFields } from './output-format.ts'
import type { Playbook, PlaybookInput } from './playbook.ts'
import { type PlaybookProblem, unknownName } from './playbook-problem.ts'
import { describeReference, type Reference, RUN_WORDS } from './reference.ts'
import type { Condition, Scalar, Stage } from './stage.ts'
import { type Edge, edgesOf, isAlwaysBefore } from './stage-graph.ts'

/** References to stages, inputs and fields that don't exist, or that can't hold what is wanted of them. */
export function findReferenceProblems(
  playbook: Playbook,
  isUnread: (reference: Reference) => boolean = () => false,
): readonly PlaybookProblem[] {
  const isOpen = (reference: Reference) =>
    isUnread(reference) || hasUnknownFormat(playbook.stages[reference.of])
  const problems = Object.entries(playbook.stages).flatMap(([name, stage]) =>
    usesOf(stage).flatMap(({ path, reference, ...use }) => {
      if (isOpen(reference)) return []
      const problem = whyUnknown(playbook, reference) ?? whyUnfit(playbook, reference, use)
      return problem === undefined ? [] : [{ path: ['stages', name, ...path], problem }]
    }),
  )
  const documents = playbook.result.documents.flatMap((reference, index) => {
    const problem = isOpen(reference) ? undefined : whyUnknown(playbook, reference)
    return problem === undefined ? [] : [{ path: ['result', 'documents', index], problem }]
  })
  return [...problems, ...documents]
}

/** References to stages that need not have run when they are needed. */
export function findMissingReferences(playbook: Playbook): readonly PlaybookProblem[] {
  const edges = edgesOf(playbook)
  return Object.entries(playbook.stages).flatMap(([name, stage]) => [
    ...usesOf(stage).flatMap(({ path, reference }) => {
      const problem = whyMissing(playbook, edges, name, reference)
      return problem === undefined ? [] : [{ path: ['stages', name, ...path], problem }]
    }),
    ...sourcesOf(stage)
      .filter(({ of }) => !isAlwaysBefore(playbook, edges, of, name))
      .map(({ of, field }) => ({
        path: ['stages', name, field],
        problem: `"${of}" need not have run before this stage`,
      })),
  ])
}

/** The stages whose work a stage starts from, which can't be missing. */
function sourcesOf(stage: Stage): readonly { readonly of: string; readonly field: string }[] {
  const each = eachOf(stage)
  return [
    ...(each === undefined ? [] : [{ of: each, field: 'each' }]),
    ...(stage.type === 'role' && stage.from.type === 'best' ? [{ of: stage.from.stage, field: 'from' }] : []),
  ]
}

type Use = {
  readonly reference: Reference
  readonly path: readonly (string | number)[]
  /** The value it is compared with. */
  readonly equals?: Scalar
  /** Whether it must be a list, or a number. */
  readonly must?: 'list' | 'number'
}

function usesOf(stage: Stage): readonly Use[] {
  switch (stage.type) {
    case 'role':
      return [
        ...stage.sees.map((reference, index) => ({ reference, path: ['sees', index] })),
        ...(stage.scope === undefined ? [] : [{ reference: stage.scope, path: ['scope'] }]),
        ...fanOutUses(stage.fanOut),
      ]
    case 'gate':
      return [
        ...stage.shows.map((reference, index) => ({ reference, path: ['gate', 'shows', index] })),
        ...conditionUses(stage.condition ?? [], ['gate', 'if']),
      ]
    case 'choose':
      return stage.cases.flatMap(({ condition }, index) => conditionUses(condition, ['choose', index, 'if']))
    case 'playbook':
      return Object.entries(stage.inputs).map(([input, reference]) => ({
        reference,
        path: ['inputs', input],
      }))
    case 'checks':
      return []
    default:
      return assertNever(stage)
  }
}

function fanOutUses(fanOut: Extract<Stage, { type: 'role' }>['fanOut']): readonly Use[] {
  if (fanOut?.type === 'over') return [{ reference: fanOut.list, path: ['over'], must: 'list' }]
  if (fanOut?.type !== 'times' || typeof fanOut.count === 'number') return []
  return [{ reference: fanOut.count, path: ['times'], must: 'number' }]
}

function conditionUses(condition: Condition, path: readonly (string | number)[]): readonly Use[] {
  return condition.map(({ field, value }) => ({
    reference: { ...field, isOptional: true },
    path: [...path, describeReference(field)],
    equals: value,
  }))
}

function whyUnknown(playbook: Playbook, { of, field }: Reference): string | undefined {
  if (of === 'inputs') return whyUnknownInput(Object.keys(playbook.inputs), field)
  const isWord = RUN_WORDS.some((word) => word === of)
  if (isWord) return field === undefined ? undefined : `"${of}" has no fields`
  const stages = Object.keys(playbook.stages)
  if (!stages.includes(of)) return unknownName('stage', of, [...RUN_WORDS, ...stages])
  if (playbook.stages[of]?.type === 'choose')
    return `"${of}" only chooses a route; there is nothing to see of it`
  if (field === undefined) return undefined
  const fields = fieldsOf(playbook, of)
  if (fields === undefined || Object.hasOwn(fields, field)) return undefined
  return unknownName(`field of "${of}"`, field, Object.keys(fields))
}

function whyUnknownInput(inputs: readonly string[], field: string | undefined): string | undefined {
  if (field === undefined) return 'must name one of the inputs, such as inputs.goal'
  return inputs.includes(field) ? undefined : unknownName('input', field, inputs)
}

/** Without `?`, a stage must have run on every way here. */
function whyMissing(
  playbook: Playbook,
  edges: readonly Edge[],
  name: string,
  reference: Reference,
): string | undefined {
  const { of, isOptional } = reference
  if (isOptional || !Object.hasOwn(playbook.stages, of)) return undefined
  if (isAlwaysBefore(playbook, edges, of, name)) return undefined
  const optional = describeReference({ ...reference, isOptional: true })
  return `"${of}" need not have run before this stage; write "${optional}" if it may be missing`
}

function whyUnfit(
  playbook: Playbook,
  reference: Reference,
  { equals, must }: Pick<Use, 'equals' | 'must'>,
): string | undefined {
  const kind = kindOf(playbook, reference)
  if (must !== undefined && kind?.type !== must && kind?.type !== 'any') {
    return `"${describeReference(reference)}" must be a ${must}`
  }
  if (must === 'number') return whyNoCount(playbook, reference)
  if (equals === undefined) return undefined
  if (kind === undefined) return whyIncomparable(playbook, reference)
  return fits(kind, equals) ? undefined : whyUnequal(reference, kind, equals)
}

/** A stage can't have fewer branches than one, or more than are allowed. */
function whyNoCount({ inputs }: Playbook, { of, field }: Reference): string | undefined {
  const input = of === 'inputs' && field !== undefined ? inputs[field] : undefined
  if (input?.type !== 'number') return undefined
  if (input.min < 1 || input.max > RUN_LIMITS.branches) {
    return `"${of}.${field}" may be from ${input.min} to ${input.max}; a stage can have 1 to ${RUN_LIMITS.branches} branches, so set its min and max`
  }
  if (input.isRequired || input.default !== undefined) return undefined
  return `"${of}.${field}" may be missing; give it a default or make it required`
}

/** A whole answer has no single value; the goal has. */
function whyIncomparable(playbook: Playbook, { of, field }: Reference): string | undefined {
  if (of === 'goal' || (field !== undefined && fieldsOf(playbook, of) === undefined)) return undefined
  return `"${of}" as a whole can't be compared; name one of its fields`
}

function whyUnequal(reference: Reference, kind: FieldKind, value: Scalar): string {
  const shown = describeReference({ ...reference, isOptional: false })
  if (kind.type === 'word') {
    return `"${shown}" is never "${value}"; it is one of: ${kind.of.join(', ')}`
  }
  if (kind.type === 'list') return `"${shown}" is a list, which can't be compared`
  const words = { text: 'text', number: 'a number', flag: 'true or false', any: 'anything' }
  return `"${shown}" is ${words[kind.type]}, so it never equals ${JSON.stringify(value)}`
}

function fits(kind: FieldKind, value: Scalar): boolean {
  switch (kind.type) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'word':
      return typeof value === 'string' && kind.of.includes(value)
    case 'list':
      return false
    case 'any':
      return true
    default:
      return assertNever(kind)
  }
}

function kindOf(playbook: Playbook, { of, field }: Reference): FieldKind | undefined {
  if (of === 'inputs') return field === undefined ? undefined : kindOfInput(playbook.inputs[field])
  return field === undefined ? undefined : fieldsOf(playbook, of)?.[field]
}

function kindOfInput(input: PlaybookInput | undefined): FieldKind | undefined {
  return input?.type === 'choice' ? { type: 'word', of: input.of } : input && { type: input.type }
}

const CHECK_FIELDS: Fields = {
  output: { type: 'text' },
  passed: { type: 'list' },
  best: { type: 'text' },
}
const GATE_FIELDS: Fields = { comment: { type: 'text' } }
const CHILD_FIELDS: Fields = { summary: { type: 'text' }, documents: { type: 'list' } }

/** The fields of what a stage gives; undefined if a playbook's own schema doesn't list them. */
function fieldsOf({ stages }: Playbook, name: string): Fields | undefined {
  const stage = stages[name]
  switch (stage?.type) {
    case 'role':
      if (stage.output.type === 'shipped') return formatFields(stage.output.format)
      return stage.output.fields
    case 'checks':
      return CHECK_FIELDS
    case 'gate':
      return GATE_FIELDS
    case 'playbook':
      return CHILD_FIELDS
    default:
      return {}
  }
}
