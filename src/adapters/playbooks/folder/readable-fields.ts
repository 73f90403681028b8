import type { z } from 'zod'
import { closestWord } from '../../../domain/closest-word.ts'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { isObject, objectIn } from './plain-data.ts'
import { type PlaybookFields, playbookSchema } from './playbook-schema.ts'

type Fields = Omit<PlaybookFields, 'stages'>

const { shape } = playbookSchema
const FIELDS = Object.keys(shape)

/** Those fields of a playbook.yaml that names refer to, as far as they can be read; the others are placeholders. */
export function readableFields(data: unknown): {
  readonly fields: Fields
  readonly unread: ReadonlySet<string>
} {
  const given = objectIn(data)
  const unread = misspelledIn(given)
  const read = <Field extends 'inputs' | 'start' | 'result'>(
    field: Field,
    otherwise: z.infer<(typeof shape)[Field]>,
  ) => {
    const parsed = shape[field].safeParse(given[field])
    if (parsed.success) return parsed.data as typeof otherwise
    unread.add(field)
    return otherwise
  }
  if (given['roles'] !== undefined && !isObject(given['roles'])) unread.add('roles')
  const roles = Object.entries(objectIn(given['roles'])).map(
    ([name, role]) => [name, looseRole(role)] as const,
  )
  const fields: Fields = {
    version: 1,
    name: '',
    description: '',
    notebook: false,
    inputs: read('inputs', {}),
    roles: Object.fromEntries(roles),
    limits: { minutes: 1, parallel: 1 },
    start: read('start', ''),
    result: read('result', { documents: [], partial: 'ask' }),
    recover: { perVisit: 0, perRun: 0 },
  }
  return { fields, unread }
}

/** The fields that were probably meant by those that don't exist. */
function misspelledIn(given: Readonly<Record<string, unknown>>): Set<string> {
  const unknown = Object.keys(given).filter((key) => !FIELDS.includes(key))
  const meant = unknown.slice(0, FILE_LIMITS.problems).map((key) => closestWord(key, FIELDS))
  return new Set(meant.filter((field) => field !== undefined))
}

/** A role with whatever of it can be read. Without a mode, nothing is said about what it may make. */
function looseRole(role: unknown): Fields['roles'][string] {
  const { mode, unlike } = objectIn(role)
  const known = shape.roles.unwrap().valueType.shape
  const read = { mode: known.mode.safeParse(mode).data, unlike: known.unlike.safeParse(unlike).data }
  return { prompt: '', agents: [], session: 'new', spread: false, ...read } as Fields['roles'][string]
}
