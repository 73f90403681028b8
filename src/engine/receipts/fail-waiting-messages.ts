import type { JobId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from './change-receipt.ts'

/**
 * Fails messages to the agents and roles of a job that has ended, because no session will read them any more, and open
 * questions to a person, because no session waits for the answer. Runs in the transaction that ends the job, before the
 * job's last event.
 */
export async function failWaitingMessages(records: Records, jobId: JobId, now: Date): Promise<void> {
  for (const message of await records.messages.listWaiting(jobId)) {
    await changeReceipt(records, message, { type: 'message-fail', reason: reasonFor(message) }, now)
  }
}

function reasonFor({ recipient, state }: Message): string {
  if (recipient === 'person') return 'the job ended before anyone answered the question'
  return state.type === 'queued'
    ? 'the job ended before anyone read the message'
    : 'the job ended before anyone acknowledged the message'
}
