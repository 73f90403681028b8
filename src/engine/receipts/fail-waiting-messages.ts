import type { JobId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from './change-receipt.ts'

/**
 * Fails messages to the agents and roles of a job that has ended: no session will read them any more. Runs in the
 * transaction that ends the job, before the job's last event.
 */
export async function failWaitingMessages(records: Records, jobId: JobId, now: Date): Promise<void> {
  for (const message of await records.messages.listWaiting(jobId)) {
    const reason =
      message.state.type === 'queued'
        ? 'the job ended before anyone read the message'
        : 'the job ended before anyone acknowledged the message'
    await changeReceipt(records, message, { type: 'message-fail', reason }, now)
  }
}
