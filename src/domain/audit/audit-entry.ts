/**
 * One act, for the audit. It holds no content: no prompts, no output, no file text; ids, states, sizes and
 * digests only.
 */
export type AuditEntry = {
  readonly actor: 'person' | 'engine' | 'agent'
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, string | number | boolean>>
}
