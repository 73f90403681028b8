import type { z } from 'zod'
import { closestWord } from '../../../domain/closest-word.ts'
import type { Playbook, PlaybookInput, PlaybookRole } from '../../../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../../../domain/playbook/playbook-problem.ts'
import type { Stage } from '../../../domain/playbook/stage.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { schemaWords } from '../../shared/yaml/schema-words.ts'
import { FIELD_NAMES, type PlaybookFields, playbookSchema, STAGE_SCHEMAS } from './playbook-schema.ts'
import { type StageReader, type StageSource, toReferences, toStage } from './to-stage.ts'

type Path = readonly (string | number)[]
type SchemaFields = StageReader['schemaFields']

/** Turns the data of a playbook.yaml into a playbook, or reports every field that isn't as it must be. */
export function toPlaybook(
  data: unknown,
  schemaFieldsOf: (file: string) => Result<readonly string[], string>,
): Result<Playbook, readonly PlaybookProblem[]> {
  const parsed = playbookSchema.safeParse(data, { error: schemaWords })
  if (!parsed.success) return failure(problemsOf(parsed.error))
  const problems: PlaybookProblem[] = []
  const report = (path: Path, problem: string) => problems.push({ path, problem })
  const schemaFields: SchemaFields = (file, path) => {
    const fields = schemaFieldsOf(file)
    if (fields.ok) return fields.value
    report(path, fields.failure)
    return []
  }
  const { stages, ...fields } = parsed.data
  const read = Object.entries(stages).flatMap(([name, stage]) => {
    const below: StageReader = {
      report: (path, problem) => report(['stages', name, ...path], problem),
      schemaFields: (file, path) => schemaFields(file, ['stages', name, ...path]),
    }
    const source = readStage(below, stage)
    return source === undefined ? [] : [[name, toStage(below, source)] as const]
  })
  const playbook = assemble(fields, Object.fromEntries(read), { report, schemaFields })
  return problems.length === 0 ? success(playbook) : failure(problems)
}

/** A stage is of the one kind whose field it has. */
function readStage(reader: StageReader, fields: Readonly<Record<string, unknown>>): StageSource | undefined {
  const kinds = Object.keys(STAGE_SCHEMAS) as StageSource['kind'][]
  const [kind, second] = kinds.filter((one) => Object.hasOwn(fields, one))
  if (kind === undefined || second !== undefined) {
    const shown = kinds.join(', ')
    reader.report([], second === undefined ? `needs one of: ${shown}` : `may have only one of: ${shown}`)
    return undefined
  }
  const parsed = STAGE_SCHEMAS[kind].safeParse(fields, { error: schemaWords })
  if (parsed.success) return { kind, fields: parsed.data } as StageSource
  for (const { path, problem } of problemsOf(parsed.error)) reader.report(path, problem)
  return undefined
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
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
    if (issue.code === 'invalid_key') return [{ path, problem: issue.issues[0]?.message ?? issue.message }]
    if (issue.code !== 'unrecognized_keys') return [{ path, problem: issue.message }]
    return issue.keys.map((key) => {
      const meant = closestWord(key, FIELD_NAMES)
      const problem = `is not a known field${meant === undefined ? '' : `; did you mean "${meant}"?`}`
      return { path: [...path, key], problem }
    })
  })
}
