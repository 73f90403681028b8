import { z } from 'zod'
import { SESSION_LIMITS } from '../domain/limits/session-limits.ts'
import { pageQuerySchema } from './page-query.ts'
import { sessionModeSchema, sessionStatusSchema } from './session.ts'
import { idSchema, nameSchema, neverSkipSchema, pathSchema, reasonSchema, textSchema } from './text.ts'

/** Opens a personal session: one agent in its own working tree. */
export const openSessionRequestSchema = z
  .object({
    repositoryPath: pathSchema,
    agent: nameSchema.optional(),
    neverSkip: neverSkipSchema.optional(),
    role: nameSchema.optional(),
    mode: sessionModeSchema.default('headless'),
    /** The first prompt; optional in interactive mode. */
    prompt: textSchema.default(''),
    baseBranch: nameSchema.optional(),
  })
  .strict()
  .meta({ id: 'OpenSessionRequest' })

export const stopSessionRequestSchema = z
  .object({ reason: reasonSchema, force: z.boolean().default(false) })
  .strict()
  .meta({ id: 'StopSessionRequest' })

export const suspendSessionRequestSchema = z
  .object({ reason: reasonSchema })
  .strict()
  .meta({ id: 'SuspendSessionRequest' })

export const resumeSessionRequestSchema = z
  .object({ prompt: textSchema.optional() })
  .strict()
  .meta({ id: 'ResumeSessionRequest' })

export const saySessionRequestSchema = z
  .object({ text: textSchema })
  .strict()
  .meta({ id: 'SaySessionRequest' })

/** A question to one session, or to the newest session of a role or agent that can be resumed. */
export const sessionQuestionSchema = z
  .object({
    question: textSchema,
    sessionId: idSchema.optional(),
    role: nameSchema.optional(),
    agent: nameSchema.optional(),
    job: idSchema.optional(),
    timeoutSeconds: z
      .number()
      .int()
      .min(SESSION_LIMITS.leastQuestionSeconds)
      .max(SESSION_LIMITS.mostQuestionSeconds)
      .optional(),
  })
  .strict()
  .refine(
    ({ sessionId, role, agent }) => (sessionId === undefined) !== (role === undefined && agent === undefined),
    {
      message: 'set either `sessionId`, or `role` or `agent`',
      path: ['sessionId'],
    },
  )
  .meta({ id: 'SessionQuestion' })

export type WireOpenSessionRequest = z.input<typeof openSessionRequestSchema>
export type WireSessionQuestion = z.input<typeof sessionQuestionSchema>

/** `live` means every status except terminated. */
export const sessionQuerySchema = pageQuerySchema.extend({
  job: idSchema.optional(),
  agent: nameSchema.optional(),
  role: nameSchema.optional(),
  status: z.enum([...sessionStatusSchema.options, 'live']).optional(),
  purpose: z.enum(['attempt', 'check', 'baseline', 'visit-check', 'personal', 'query']).optional(),
  resumable: z.enum(['true']).optional(),
  askable: z.enum(['true']).optional(),
})
