import { z } from 'zod'
import { instantSchema } from './instant.ts'

const rowNumber = z.int().min(0)

export const auditBreakSchema = z.discriminatedUnion('type', [
  /** The row doesn't match its hash. */
  z.object({ type: z.literal('row-changed'), seq: rowNumber }),
  z.object({ type: z.literal('rows-missing'), from: rowNumber, to: rowNumber }),
  /** The log ends before a row that the home remembers. */
  z.object({ type: z.literal('tail-cut'), from: rowNumber, to: rowNumber }),
  /** The row isn't the one that the home remembers. */
  z.object({ type: z.literal('row-replaced'), seq: rowNumber }),
  /** Rows that a person accepted have changed since. */
  z.object({ type: z.literal('head-missing') }),
  z.object({ type: z.literal('accepted-changed'), to: rowNumber }),
])

/** Whether the audit log is complete and unchanged. */
export const auditCheckSchema = z
  .discriminatedUnion('status', [
    /** The daemon has just started. */
    z.object({ status: z.literal('checking') }),
    z.object({ status: z.literal('intact'), rows: rowNumber, checkedAt: instantSchema }),
    z.object({
      status: z.literal('broken'),
      rows: rowNumber,
      checkedAt: instantSchema,
      /** The first 100. */
      breaks: z.array(auditBreakSchema),
    }),
  ])
  .meta({ id: 'AuditCheck' })

export const auditRowSchema = z
  .object({
    seq: rowNumber,
    at: instantSchema,
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRow' })

export type WireAuditBreak = z.infer<typeof auditBreakSchema>
export type WireAuditCheck = z.infer<typeof auditCheckSchema>
export type WireAuditRow = z.infer<typeof auditRowSchema>
