import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of fields',
  record: 'a mapping of names',
}

/** Describes an invalid value in plain words. Undefined keeps the schema library's own message. */
export function schemaWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = KINDS[issue.expected] ?? issue.expected
      return issue.input === undefined ? `is required and must be ${kind}` : `must be ${kind}`
    }
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty'
      return issue.inclusive === true
        ? `must be ${issue.minimum} or more`
        : `must be more than ${issue.minimum}`
    case 'too_big':
      return describeMost(issue)
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`
    default:
      return undefined
  }
}

function describeMost({
  origin,
  maximum,
  inclusive,
}: Extract<z.core.$ZodRawIssue, { code: 'too_big' }>): string {
  if (origin === 'string') return `must have ${maximum} characters or fewer`
  if (origin === 'array') return `must have ${maximum} entries or fewer`
  return inclusive === true ? `must be ${maximum} or less` : `must be less than ${maximum}`
}
