import type { z } from 'zod'
import { closestWord } from '../../../domain/closest-word.ts'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import type { Fields } from '../../../domain/playbook/field-kind.ts'
import { findReadableProblems } from '../../../domain/playbook/find-readable-problems.ts'
import type { Playbook, PlaybookInput, PlaybookRole } from '../../../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../../../domain/playbook/playbook-problem.ts'
import type { Stage } from '../../../domain/playbook/stage.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { schemaWords } from '../../shared/yaml/schema-words.ts'
import { mendStage } from './mend-stage.ts'
import { isObject, objectIn, placesIn } from './plain-data.ts'
import { FIELD_NAMES, type PlaybookFields, playbookSchema, STAGE_SCHEMAS } from './playbook-schema.ts'
import { readableFields } from './readable-fields.ts'
import { type StageReader, type StageSource, toReferences, toStage } from './to-stage.ts'

type Path = readonly (string | number)[]

/** Turns the data of a playbook.yaml into a playbook, or reports every field that isn't as it must be. */
export function toPlaybook(
  data: unknown,
  schemaFieldsOf: (file: string) => Result<Fields | undefined, string>,
): Result<Playbook, readonly PlaybookProblem[]> {
  const parsed = playbookSchema.safeParse(data, { error: schemaWords })
  const problems = [...findUnusableKeys(data), ...(parsed.success ? [] : problemsOf(parsed.error))]
  const report = (path: Path, problem: string) => problems.push({ path, problem })
  const opaque = new Set<string>()
  const read = stagesIn(parsed.success ? parsed.data : data).map(([name, stage]) => {
    const below: StageReader = {
      report: (path, problem) => report(['stages', name, ...path], problem),
      schemaFields: (file, path) => {
        const fields = schemaFieldsOf(file)
        if (fields.ok) return fields.value
        opaque.add(name)
        report(['stages', name, ...path], fields.failure)
        return undefined
      },
    }
    const source = stage === undefined ? undefined : readStage(below, stage)
    if (source === undefined) opaque.add(name)
    return [name, source === undefined ? UNREAD_STAGE : toStage(below, source)] as const
  })
  const reader: StageReader = { report, schemaFields: () => undefined }
  const readable = readableFields(data)
  const playbook = assemble(parsed.success ? parsed.data : readable.fields, Object.fromEntries(read), reader)
  if (problems.length === 0) return success(playbook)
  // What can be read is checked all the same: one report names everything.
  const unread = { stages: opaque, parts: readable.unread }
  return failure([...problems, ...(hasStageNames(data) ? findReadableProblems(playbook, unread) : [])])
}

/** Whether the names of all stages can be read; otherwise, whatever names a stage may be right. */
function hasStageNames(data: unknown): boolean {
  const names = Object.keys(objectIn(objectIn(data)['stages']))
  if (names.length === 0 || names.length > RUN_LIMITS.stages) return false
  return names.every((name) => playbookSchema.shape.start.safeParse(name).success)
}

/** Stands for a stage that can't be read: it has a name, and nothing else that could be wrong. */
const UNREAD_STAGE: Stage = { type: 'choose', cases: [], otherwise: { type: 'end', end: 'failed' } }

type RawStage = readonly [name: string, fields: Readonly<Record<string, unknown>> | undefined]

function stagesIn(data: unknown): readonly RawStage[] {
  return Object.entries(objectIn(objectIn(data)['stages']))
    .slice(0, RUN_LIMITS.stages)
    .map(([name, stage]) => [name, isObject(stage) ? stage : undefined])
}

/** The schema library leaves this name out without a word, so a stage or a role of that name would vanish. */
const UNUSABLE = '__proto__'

function findUnusableKeys(data: unknown): readonly PlaybookProblem[] {
  return [...placesIn(data)]
    .filter(({ path }) => path.at(-1) === UNUSABLE)
    .map(({ path }) => ({ path, problem: "can't be used as a name" }))
}

/** A stage is of the one kind whose field it has. */
function readStage(reader: StageReader, fields: Readonly<Record<string, unknown>>): StageSource | undefined {
  const kinds = Object.keys(STAGE_SCHEMAS) as StageSource['kind'][]
  const [kind, second] = kinds.filter((one) => Object.hasOwn(fields, one))
  if (kind === undefined) {
    reportNoKind(reader, fields, kinds)
    return undefined
  }
  if (second !== undefined) {
    reader.report([], `may have only one of: ${kinds.join(', ')}`)
    return undefined
  }
  const schema = STAGE_SCHEMAS[kind]
  const parsed = schema.safeParse(fields, { error: schemaWords })
  if (parsed.success) return { kind, fields: parsed.data } as StageSource
  for (const { path, problem } of problemsOf(parsed.error)) reader.report(path, problem)
  const mended = schema.safeParse(mendStage(fields, parsed.error.issues))
  return mended.success ? ({ kind, fields: mended.data } as StageSource) : undefined
}

/** A stage without a kind has probably a typing error in the field that says it. */
function reportNoKind(
  reader: StageReader,
  fields: Readonly<Record<string, unknown>>,
  kinds: readonly string[],
): void {
  const unknown = Object.keys(fields).filter((key) => !FIELD_NAMES.includes(key))
  const [typo] = unknown.slice(0, FILE_LIMITS.problems).flatMap((key) => {
    const meant = closestWord(key, kinds)
    return meant === undefined ? [] : [{ key, meant }]
  })
  if (typo === undefined) reader.report([], `needs one of: ${kinds.join(', ')}`)
  else reader.report([typo.key], `is not a known field; did you mean "${typo.meant}"?`)
}

function assemble(
  fields: Omit<PlaybookFields, 'stages'>,
  stages: Readonly<Record<string, Stage>>,
  reader: StageReader,
): Playbook {
  const { name, description, inputs, roles, limits, notebook, start, result, recover } = fields
  const { perVisit, perRun, ...actions } = recover
  return {
    name,
    description,
    inputs: { goal: { type: 'text', isRequired: true }, ...mapValues(inputs, toInput) },
    roles: mapValues(roles, toRole),
    limits: withoutUndefined(limits),
    hasNotebook: notebook,
    start,
    stages,
    result: {
      documents: toReferences(reader, result.documents, ['result', 'documents']),
      partial: result.partial,
    },
    recover: { perVisit, perRun, actions: withoutUndefined(actions) },
  }
}

function toInput({ required, ...fields }: PlaybookFields['inputs'][string]): PlaybookInput {
  return withoutUndefined({ ...fields, isRequired: required }) as PlaybookInput
}

function toRole({ session, spread, ...fields }: PlaybookFields['roles'][string]): PlaybookRole {
  return withoutUndefined({ ...fields, keepsSession: session === 'keep', isSpread: spread })
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

function problemsOf(error: z.ZodError): readonly PlaybookProblem[] {
  return error.issues.flatMap((issue) => problemsOfIssue(issue, []))
}

function problemsOfIssue(issue: z.core.$ZodIssue, above: Path): readonly PlaybookProblem[] {
  const below = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
  const path = [...above, ...below]
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((issues) => issues.every((one) => !isOfOtherKind(one)))
    const [only, second] = meant
    if (only !== undefined && second === undefined) return only.flatMap((one) => problemsOfIssue(one, path))
    return [{ path, problem: issue.message }]
  }
  return problemsAt(path, issue)
}

/** Whether a value isn't even of the kind that one of several alternatives wants. */
function isOfOtherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0
}

function problemsAt(path: Path, issue: z.core.$ZodIssue): readonly PlaybookProblem[] {
  if (issue.code === 'invalid_key') return [{ path, problem: issue.issues[0]?.message ?? issue.message }]
  if (issue.code !== 'unrecognized_keys') return [{ path, problem: issue.message }]
  return issue.keys
    .filter((key) => key !== UNUSABLE)
    .map((key, index) => {
      // Looking for similar names takes long, and later problems aren't reported anyway.
      if (index >= FILE_LIMITS.problems) return { path: [...path, key], problem: 'is not a known field' }
      if (FIELD_NAMES.includes(key)) return { path: [...path, key], problem: "can't be used here" }
      const meant = closestWord(key, FIELD_NAMES)
      const problem = `is not a known field${meant === undefined ? '' : `; did you mean "${meant}"?`}`
      return { path: [...path, key], problem }
    })
}
