import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import type { Fields } from '../../../domain/playbook/field-kind.ts'
import { type Reference, readReference } from '../../../domain/playbook/reference.ts'
import { type Route, type Routes, RUN_ENDS, readTarget, type Target } from '../../../domain/playbook/route.ts'
import type {
  Condition,
  FanOut,
  Output,
  RoleStage,
  Stage,
  StartPoint,
} from '../../../domain/playbook/stage.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { StageFields } from './playbook-schema.ts'

type Path = readonly (string | number)[]

/** Collects what is wrong while a stage is read, so that all of it can be reported at once. */
export type StageReader = {
  readonly report: (path: Path, problem: string) => void
  /** The fields of a JSON Schema in the playbook's folder, by its path as the playbook writes it. */
  readonly schemaFields: (file: string, path: Path) => Fields | undefined
}

export type StageSource = {
  [Kind in keyof StageFields]: { kind: Kind; fields: StageFields[Kind] }
}[keyof StageFields]

export function toStage(reader: StageReader, source: StageSource): Stage {
  switch (source.kind) {
    case 'role':
      return toRoleStage(reader, source.fields)
    case 'checks': {
      const { each, on } = source.fields
      return withoutUndefined({ type: 'checks' as const, each, on: toRoutes(reader, on) })
    }
    case 'gate': {
      const { gate, on } = source.fields
      return withoutUndefined({
        type: 'gate' as const,
        ask: gate.ask,
        shows: toReferences(reader, gate.shows, ['gate', 'shows']),
        condition: gate.if && toCondition(reader, gate.if, ['gate', 'if']),
        hours: gate.hours,
        on: toRoutes(reader, on),
      })
    }
    case 'choose': {
      const { choose, else: otherwise } = source.fields
      return {
        type: 'choose',
        cases: choose.map((one, index) => ({
          condition: toCondition(reader, one.if, ['choose', index, 'if']),
          to: toTarget(reader, one.next, ['choose', index, 'next']),
        })),
        otherwise: toTarget(reader, otherwise, ['else']),
      }
    }
    case 'playbook': {
      const { playbook, inputs, on } = source.fields
      const read = Object.entries(inputs).map(([name, text]) => [
        name,
        toReference(reader, text, ['inputs', name]),
      ])
      return { type: 'playbook', playbook, inputs: Object.fromEntries(read), on: toRoutes(reader, on) }
    }
  }
}

function toRoleStage(reader: StageReader, fields: StageFields['role']): RoleStage {
  const { role, asks, sees, scope, keeps, tools, minutes, on } = fields
  return withoutUndefined({
    type: 'role' as const,
    role,
    asks,
    from: toStartPoint(reader, fields.from),
    sees: toReferences(reader, sees, ['sees']),
    output: toOutput(reader, fields.output),
    scope: scope === undefined ? undefined : toReference(reader, scope, ['scope']),
    keeps,
    fanOut: toFanOut(reader, fields),
    tools,
    minutes,
    on: toRoutes(reader, on),
  })
}

function toStartPoint(reader: StageReader, text: string): StartPoint {
  if (text === 'head' || text === 'work') return { type: text }
  const best = /^([a-z][a-z0-9_-]*)\.best$/.exec(text)?.[1]
  if (best !== undefined) return { type: 'best', stage: best }
  reader.report(['from'], 'must be "head", "work" or "<stage>.best"')
  return { type: 'work' }
}

function toOutput(reader: StageReader, text: string): Output {
  if (text === 'change?') return { type: 'shipped', format: 'change', isOptional: true }
  if (!text.startsWith('./')) return { type: 'shipped', format: text }
  return { type: 'schema', file: text, fields: reader.schemaFields(text, ['output']) }
}

function toFanOut(reader: StageReader, fields: StageFields['role']): FanOut | undefined {
  const { times, over, most, each } = fields
  const given = ['times', 'over', 'each'].filter((field) => fields[field as 'times'] !== undefined)
  if (given.length > 1) reader.report([given[1] ?? ''], `can't be used together with "${given[0]}"`)
  if (most !== undefined && over === undefined) reader.report(['most'], 'needs "over"')
  if (typeof times === 'number') return { type: 'times', count: times }
  if (times !== undefined) return { type: 'times', count: toReference(reader, times, ['times']) }
  if (over !== undefined) {
    return { type: 'over', list: toReference(reader, over, ['over']), max: most ?? RUN_LIMITS.branches }
  }
  return each === undefined ? undefined : { type: 'each', stage: each }
}

type RouteFields = StageFields['role']['on']

function toRoutes(reader: StageReader, on: RouteFields): Routes {
  return Object.fromEntries(
    Object.entries(on).map(([outcome, route]) => [outcome, toRoute(reader, route, ['on', outcome])]),
  )
}

function toRoute(reader: StageReader, route: RouteFields[string], path: Path): Route {
  if (typeof route === 'string') return { type: 'always', to: toTarget(reader, route, path) }
  return {
    type: 'limited',
    to: toTarget(reader, route.next, [...path, 'next']),
    max: route.max,
    beyond: toTarget(reader, route.then, [...path, 'then']),
  }
}

function toTarget(reader: StageReader, text: string, path: Path): Target {
  const target = readTarget(text)
  if (target !== undefined) return target
  reader.report(
    path,
    `there is no end "${text}"; there are: ${RUN_ENDS.map((end) => `end.${end}`).join(', ')}`,
  )
  return { type: 'end', end: 'failed' }
}

export function toReferences(
  reader: StageReader,
  texts: readonly string[],
  path: Path,
): readonly Reference[] {
  return texts.map((text, index) => toReference(reader, text, [...path, index]))
}

function toReference(reader: StageReader, text: string, path: Path): Reference {
  const read = readReference(text)
  if (read !== undefined) return read
  reader.report(path, `"${text}" must be a name such as goal, review.issues or design?`)
  return { of: 'goal', isOptional: false }
}

function toCondition(
  reader: StageReader,
  fields: StageFields['choose']['choose'][number]['if'],
  path: Path,
): Condition {
  return Object.entries(fields).map(([text, value]) => ({
    field: toReference(reader, text, [...path, text]),
    value,
  }))
}
