import { z } from 'zod'
import { instantSchema } from './instant.ts'

export const projectSchema = z
  .object({ id: z.string(), path: z.string(), name: z.string(), createdAt: instantSchema })
  .meta({ id: 'Project' })

export type WireProject = z.infer<typeof projectSchema>
