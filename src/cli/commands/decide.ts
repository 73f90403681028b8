import type { MusterClient, WireApproval } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { decisionLine } from '../render/approval/approval-lines.ts'
import { lookOf } from '../render/text/look.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type DenyFlags = { readonly reason?: string }

type Decide = (client: MusterClient, approval: WireApproval) => ReturnType<MusterClient['allowApproval']>

export async function approveCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return decide(needs, text, (client, { id, digest }) => client.allowApproval(id, { digest }))
}

export async function denyCommand(needs: CommandNeeds, text: string, flags: DenyFlags): Promise<Outcome> {
  const { reason } = flags
  return decide(needs, text, (client, { id, digest }) => client.denyApproval(id, { digest, reason }))
}

/** Decides on the action as it is known now: should another wait under its name by now, nothing is decided. */
function decide(needs: CommandNeeds, text: string, act: Decide): Promise<Outcome> {
  const { output } = needs
  return withFound(needs, text, ['approval'], (client, { id }) =>
    withAnswer(client.getApproval(id), (approval) =>
      withAnswer(act(client, approval), (decided) => {
        output.value({ success: true, data: decided })
        // Whoever asks is told best by the question; the answer has it too, should it be gone by now.
        const shown = {
          ...decided,
          agent: decided.agent ?? approval.agent,
          role: decided.role ?? approval.role,
        }
        output.print(decisionLine(shown, lookOf(needs)))
        return success(EXIT.done)
      }),
    ),
  )
}
