import type { Context } from 'hono'
import type { z } from 'zod'
import { refuse } from './refuse.ts'

type Validation = { readonly success: true } | { readonly success: false; readonly error: z.ZodError }

const MAX_ISSUES = 20

/** What a request that does not fit its route's schema is answered with; nothing for one that does. */
export function answerInvalid(validation: Validation, context: Context) {
  if (validation.success) return undefined
  const issues = validation.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ field: issue.path.join('.'), problem: issue.message }))
  return refuse(context, { type: 'bad-request', issues })
}
