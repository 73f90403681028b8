/** One action, for the audit. No content (prompts, output, file text): only ids, states, sizes and digests. */
export type AuditEntry = {
  readonly actor: 'person' | 'engine' | 'agent'
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, string | number | boolean>>
}
