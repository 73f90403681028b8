import type { ApprovalId, ApprovalRuleId, JobId, SessionId } from '../id.ts'
import type { ToolUse } from './approval-action.ts'
import { type ActionKind, describeToolUse } from './describe-action.ts'

/** How far a decision reaches: this request, this exact command in the job, or all like this in the session. */
export const DECISION_SCOPES = ['once', 'job', 'session'] as const
export type DecisionScope = (typeof DECISION_SCOPES)[number]

/** What a rule allows. It never looks into the text of a command. */
export type RuleMatch =
  /** Exactly this command, by any agent of the job. `words` shows it to people. */
  | { readonly type: 'exact'; readonly digest: string; readonly tool: string; readonly words: string }
  /** Every use of this tool for this kind of action, by one session. */
  | { readonly type: 'alike'; readonly tool: string; readonly kind: ActionKind }

/** What a person allowed in advance, with one decision. It ends with its job or its session, or is revoked. */
export type ApprovalRule = {
  readonly id: ApprovalRuleId
  /** The request whose decision made the rule. */
  readonly approvalId: ApprovalId
  readonly jobId?: JobId
  /** The session that a rule of type `alike` is limited to. */
  readonly sessionId?: SessionId
  readonly match: RuleMatch
  readonly createdBy: string
  readonly createdAt: Date
  readonly revokedBy?: string
  readonly revokedAt?: Date
  readonly version: number
}

const KIND_WORDS: Readonly<Record<ActionKind, string>> = {
  run: 'run any command',
  write: 'write any file',
  edit: 'edit any file',
  delete: 'delete any file',
  read: 'read any file',
  search: 'search for anything',
  fetch: 'fetch any address',
  network: 'reach any host',
  permissions: 'get any permissions',
  use: 'do anything',
}

/** What a rule allows, as one sentence without its subject. */
export function describeMatch(match: RuleMatch): string {
  if (match.type === 'exact') return `may always ${match.words}, in this job`
  return `may ${KIND_WORDS[match.kind]} with ${match.tool} without asking, until its session ends`
}

/** The part of a tool use that a job's rule compares: everything but the program's own description of it. */
export function exactCommand({ tool, input, directory }: ToolUse): Readonly<Record<string, unknown>> {
  const { kind, object, rest } = describeToolUse({ tool, input, directory })
  if (kind !== 'run') return { tool, input }
  const { description: _, ...fields } = rest
  // Every attempt has its own tree; the same place in it is the same place.
  const cwd = fields['cwd'] === directory ? '.' : fields['cwd']
  return { tool, command: object, ...fields, ...(cwd === undefined ? {} : { cwd }) }
}

/** "run: npm test" */
export function matchWords(action: ToolUse): string {
  const { verb, object } = describeToolUse(action)
  return `${verb}: ${object}`
}
