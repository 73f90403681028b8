/** One stored audit entry, as people see it. */
export type AuditRow = {
  readonly seq: number
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}
