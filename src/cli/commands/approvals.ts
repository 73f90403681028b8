import type { WireApproval, WireApprovalRule } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printExactly } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { ruleSubject } from '../render/approval/rule-subject.ts'
import { displayOf } from '../render/text/display.ts'
import { safeLine, visibleLine } from '../render/text/safe-text.ts'
import { wrapWords } from '../render/text/wrap-line.ts'
import { resolveJobFlag } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { revokeCommand } from './decide.ts'

export type ApprovalsFlags = {
  readonly all?: true
  readonly job?: string
  readonly limit?: number
  readonly rules?: true
  readonly revoke?: string
}

const DEFAULT_LIMIT = 50
const NOTHING = { pending: 'nothing is waiting for your approval', all: 'no approval requests yet' } as const

/** Lists pending approval requests, and with --all the decided ones too. */
export async function approvalsCommand(needs: CommandNeeds, flags: ApprovalsFlags): Promise<Outcome> {
  if (flags.revoke !== undefined) return revokeCommand(needs, flags.revoke)
  if (flags.rules === true) return listRules(needs, flags)
  const status = flags.all === true ? 'all' : 'pending'
  return withDaemon(needs, async (client) => {
    const job = await resolveJobFlag(client, flags.job)
    if (!job.ok) return job
    const options = { status, job: job.value, limit: flags.limit ?? DEFAULT_LIMIT } as const
    return withAnswer(client.listApprovals(options), (page) => {
      const lines = page.items.toReversed().flatMap((approval) => entryLines(needs, approval))
      return printExactly(needs, page, lines.length === 0 ? [NOTHING[status]] : lines)
    })
  })
}

/** What was allowed in advance, and how to revoke it. */
async function listRules(needs: CommandNeeds, flags: ApprovalsFlags): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const job = await resolveJobFlag(client, flags.job)
    if (!job.ok) return job
    const status = flags.all === true ? 'all' : 'active'
    const options = { status, job: job.value, limit: flags.limit ?? DEFAULT_LIMIT } as const
    return withAnswer(client.listApprovalRules(options), (page) => {
      const lines = page.items.toReversed().flatMap((rule) => ruleLines(needs, rule))
      return printExactly(needs, page, lines.length === 0 ? ['nothing is allowed in advance'] : lines)
    })
  })
}

function ruleLines({ output, surroundings }: CommandNeeds, rule: WireApprovalRule): readonly string[] {
  const { agent, allows, by, jobId, sessionId, status } = rule
  const { columns = Number.POSITIVE_INFINITY } = surroundings.stdout
  const id = output.ids.of(rule.id)
  const ended = status === 'active' ? '' : ` (${status})`
  const revoke = status === 'active' ? [`  revoke: ${output.hint(`muster approvals --revoke ${id}`)}`] : []
  return [
    ...[
      `${output.paint('strong', id)} ${safeLine(agent ?? 'every agent')} ${visibleLine(allows)}${ended}`,
      `  allowed by ${safeLine(by)} for ${output.ids.of(sessionId ?? jobId ?? 'a session')}`,
    ].flatMap((line) => wrapWords(line, columns, 4)),
    ...revoke,
  ]
}

function entryLines(needs: CommandNeeds, approval: WireApproval): readonly string[] {
  const { output, surroundings } = needs
  const lines = approvalLines(approval, surroundings.now(), displayOf(needs), 'brief')
  if (approval.status !== 'pending') return lines
  const id = output.ids.of(approval.id)
  const inspect = approval.candidateId === undefined ? 'show' : 'diff'
  return [
    ...lines,
    `  try    ${output.hint(`muster ${inspect} ${id}`)}`,
    `         ${output.hint(`muster approve ${id}`)}`,
    `         ${output.hint(`muster deny ${id} --reason "..."`)}`,
    ...scopeLines(needs, approval),
  ]
}

/** What a wider decision would allow, before anyone makes it. */
function scopeLines({ output, surroundings }: CommandNeeds, approval: WireApproval): readonly string[] {
  const { id, scopes } = approval
  const { columns = Number.POSITIVE_INFINITY } = surroundings.stdout
  return (['job', 'session'] as const).flatMap((scope) => {
    const allows = scopes[scope]
    if (allows === undefined) return []
    return [
      `         ${output.hint(`muster approve ${output.ids.of(id)} --scope ${scope}`)}`,
      ...wrapWords(
        `${' '.repeat(11)}${ruleSubject(scope, approval)} ${visibleLine(allows)}`,
        columns,
        11,
      ).map((line) => output.paint('dim', line)),
    ]
  })
}
