import { z } from 'zod'
import { sessionModeSchema } from './session.ts'

/** Text that the kernel and the database can both hold. */
const textSchema = z.string().refine((text) => !text.includes('\0'), { message: 'contains a NUL character' })
const nameSchema = textSchema.min(1).max(200)
const reasonSchema = textSchema.max(1000).optional()

/** Opens a session of a person's own: one agent in a working tree of its own. */
export const openSessionRequestSchema = z
  .object({
    repositoryPath: textSchema.min(1).max(4096),
    agent: nameSchema.optional(),
    role: nameSchema.optional(),
    mode: sessionModeSchema.default('headless'),
    /** What it is told first; may be left out in interactive mode. */
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

/** A question to one session, or to the newest of a role or an agent whose conversation can be gone on with. */
export const sessionQuestionSchema = z
  .object({
    question: textSchema,
    sessionId: z.string().max(64).optional(),
    role: nameSchema.optional(),
    agent: nameSchema.optional(),
    job: z.string().max(64).optional(),
    timeoutSeconds: z.number().int().min(10).max(300).optional(),
  })
  .strict()
  .refine(
    ({ sessionId, role, agent }) => (sessionId === undefined) !== (role === undefined && agent === undefined),
    {
      message: 'is needed, or else `role` or `agent`; not both',
      path: ['sessionId'],
    },
  )
  .meta({ id: 'SessionQuestion' })

export type WireOpenSessionRequest = z.input<typeof openSessionRequestSchema>
export type WireSessionQuestion = z.input<typeof sessionQuestionSchema>
