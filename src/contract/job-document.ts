import { z } from 'zod'
import { LIST_LIMITS } from '../domain/limits/list-limits.ts'
import { instantSchema } from './instant.ts'
import { cursorSchema } from './page-query.ts'
import { textSchema } from './text.ts'

export const documentKindSchema = z.enum(['goal', 'task-list'])

/** One version of the goal or of the tasks a person requested. */
export const jobDocumentSchema = z
  .object({
    kind: documentKindSchema,
    /** Starts at 1 for each kind. */
    number: z.number(),
    text: z.string(),
    author: z.enum(['person', 'engine']),
    createdAt: instantSchema,
    /** The cycle that applied it; absent while it waits for the next one. */
    cycle: z.number().optional(),
  })
  .meta({ id: 'JobDocument' })

export const documentQuerySchema = z.object({
  kind: documentKindSchema.optional(),
  limit: z.coerce.number().int().min(1).max(LIST_LIMITS.documents).default(LIST_LIMITS.documents),
  cursor: cursorSchema,
})

export const editGoalRequestSchema = z
  .object({ requestDocument: textSchema })
  .strict()
  .meta({ id: 'EditGoalRequest' })

/** An empty list withdraws all requests. */
export const editTaskListRequestSchema = z
  .object({ requestedTasks: textSchema })
  .strict()
  .meta({ id: 'EditTaskListRequest' })

export type WireJobDocument = z.infer<typeof jobDocumentSchema>
export type WireDocumentKind = z.infer<typeof documentKindSchema>
