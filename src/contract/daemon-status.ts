import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { jobSummarySchema } from './job.ts'
import { containmentSchema, sessionSchema } from './session.ts'
import { waitingSchema } from './waiting.ts'

/** The daemon about itself. */
export const daemonStatusSchema = z
  .object({
    pid: z.number(),
    version: z.string(),
    startedAt: instantSchema,
    uptimeMs: z.number(),
    home: z.string(),
    /** How firmly sessions are held on this machine. */
    containment: containmentSchema,
    /** Whether the database is the daemon's own or a given one. */
    database: z.enum(['embedded', 'external']).optional(),
    /** Milliseconds its event loop was late since this was last asked, when the daemon was told to measure. */
    loopLag: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).optional(),
  })
  .meta({ id: 'DaemonStatus' })

/** What runs and what waits. */
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
