import type { Approval } from '../../domain/approval/approval.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { PermissionDecision } from '../../ports/dialogue.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'

/**
 * Hands a decision to whoever waits for it, in the transaction that stores it. A program is told in its protocol;
 * the merge queue looks at the row itself, and only has to be woken: gives the work that does so.
 */
export async function tellAsker(
  records: Records,
  approval: Approval,
  decision: PermissionDecision,
  actor: 'person' | 'engine',
): Promise<readonly Work[]> {
  const { asker } = approval
  switch (asker.type) {
    case 'session':
      await records.sessions.addInput(
        asker.sessionId,
        { type: 'decide', requestId: asker.requestId, decision },
        { audit: { actor, action: 'session-decide', subject: asker.sessionId, detail: {} } },
      )
      return []
    case 'candidate':
      return queueOf(approval.jobId)
    default:
      return assertNever(asker)
  }
}

function queueOf(jobId: JobId | undefined): readonly Work[] {
  return jobId === undefined ? [] : [{ type: 'landing-advance', jobId }]
}
