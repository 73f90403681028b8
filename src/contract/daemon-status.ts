import { z } from 'zod'
import { auditCheckSchema } from './audit.ts'
import { instantSchema } from './instant.ts'
import { jobSummarySchema } from './job.ts'
import { containmentSchema, sessionSchema } from './session.ts'
import { diskUseSchema } from './storage.ts'
import { waitingSchema } from './waiting.ts'

export const daemonStatusSchema = z
  .object({
    pid: z.number(),
    version: z.string(),
    startedAt: instantSchema,
    uptimeMs: z.number(),
    home: z.string(),
    /** How strongly sessions are contained on this machine. */
    containment: containmentSchema,
    /** `embedded`: the daemon runs its own PostgreSQL. `external`: it was given a connection string. */
    database: z.enum(['embedded', 'external']).optional(),
    /** Whether the audit log is complete and unchanged. */
    audit: auditCheckSchema.optional(),
    /** What the home occupies, measured in the last few minutes. Absent until it was measured. */
    disk: diskUseSchema.optional(),
    /** Event-loop delay in milliseconds since the last request; present only if the daemon measures it. */
    loopLag: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).optional(),
  })
  .meta({ id: 'DaemonStatus' })

/** What is running, what is waiting, and the daemon itself. */
export const statusSchema = z
  .object({
    daemon: daemonStatusSchema,
    jobs: z.array(jobSummarySchema),
    sessions: z.array(sessionSchema),
    waiting: z.array(waitingSchema),
  })
  .meta({ id: 'Status' })

export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' })

export const readySchema = z.object({ status: z.literal('ready') })

export const shutdownSchema = z.object({ status: z.literal('stopping') })

export type DaemonStatus = z.infer<typeof daemonStatusSchema>
export type WireStatus = z.infer<typeof statusSchema>
export type WireHealth = z.infer<typeof healthSchema>
