import type { z } from 'zod'
import { closestWord } from '../../../domain/closest-word.ts'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { objectIn } from './plain-data.ts'
import { FIELD_NAMES } from './playbook-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Without these fields, a stage has the same outcomes and gives the same answer. */
const SPARE = new Set<unknown>([
  ...['asks', 'from', 'sees', 'scope', 'keeps', 'tools', 'most', 'join', 'minutes', 'inputs'],
])
/** With one of these, a stage has other outcomes. */
const SHAPING: readonly string[] = ['times', 'over', 'each']
const ANY_TARGET = 'end.failed'

/**
 * A stage without the fields that are wrong, so that the names in its other fields can be checked. Undefined if that
 * would be another stage.
 */
export function mendStage(fields: Fields, issues: readonly z.core.$ZodIssue[]): Fields | undefined {
  const mended: Record<string, unknown> = { ...fields }
  return issues.every((issue) => mend(mended, issue)) ? mended : undefined
}

/** Returns whether it is still the same stage. */
function mend(mended: Record<string, unknown>, issue: z.core.$ZodIssue): boolean {
  const [field, outcome] = issue.path
  if (field === 'on' && typeof outcome === 'string') {
    mended['on'] = { ...objectIn(mended['on']), [outcome]: ANY_TARGET }
    return true
  }
  const isUnknown = issue.code === 'unrecognized_keys' && field === undefined
  const spare = isUnknown ? issue.keys : [String(field)]
  for (const key of spare) delete mended[key]
  return isUnknown ? areSpare(issue.keys) : SPARE.has(field)
}

function areSpare(keys: readonly string[]): boolean {
  if (keys.length > FILE_LIMITS.problems) return false
  return keys.every((key) => !SHAPING.includes(closestWord(key, FIELD_NAMES) ?? ''))
}
