import type { WireApproval } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { lookOf } from '../render/text/look.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ApprovalsFlags = { readonly all?: true; readonly job?: string; readonly limit?: number }

const DEFAULT_LIMIT = 50

/** What agents wait to be allowed, and with --all what was decided before. */
export async function approvalsCommand(needs: CommandNeeds, flags: ApprovalsFlags): Promise<Outcome> {
  const status = flags.all === true ? 'all' : 'pending'
  return withDaemon(needs, async (client) => {
    const job = flags.job === undefined ? undefined : await resolveId(client, flags.job, ['job'])
    if (job?.ok === false) return job
    const options = { status, job: job?.value.id, limit: flags.limit ?? DEFAULT_LIMIT } as const
    return withAnswer(client.listApprovals(options), (page) => {
      needs.output.value({ success: true, data: page })
      if (page.items.length === 0) needs.output.print(NOTHING[status])
      for (const approval of page.items.toReversed()) showApproval(needs, approval)
      return success(EXIT.done)
    })
  })
}

const NOTHING = { pending: 'nothing waits for your approval', all: 'nothing was ever asked for' } as const

function showApproval(needs: CommandNeeds, approval: WireApproval): void {
  const { output, surroundings } = needs
  for (const line of approvalLines(approval, surroundings.now(), lookOf(needs), 'brief')) output.print(line)
  if (approval.status !== 'pending') return
  const look = approval.candidateId === undefined ? 'show' : 'diff'
  output.print(`  try    ${output.hint(`muster ${look} ${approval.id}`)}`)
  output.print(`         ${output.hint(`muster approve ${approval.id}`)}`)
  output.print(`         ${output.hint(`muster deny ${approval.id} --reason "..."`)}`)
}
