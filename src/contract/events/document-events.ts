import { z } from 'zod'
import { jobDocumentSchema } from '../job-document.ts'
import { eventSchema } from './event-schema.ts'

const version = jobDocumentSchema.pick({ kind: true, number: true })

export const documentEvents = [
  eventSchema('document_edited', version.extend({ author: jobDocumentSchema.shape.author })),
  eventSchema('document_applied', version.extend({ cycle: z.number() })),
] as const
