import type { MusterClient, WireTaskDetail } from '../../src/client/index.ts'
import type { Deed } from './acp-agent/deed.ts'
import { tasksOf } from './run-job.ts'
import { take } from './take.ts'

/** A deed that hands over with the text of a note, which may contain deeds for the successor. */
export function handOver(note: string, options = ''): Deed {
  return { shell: `muster agent handoff - ${options} < "$ACP_MEMORY/${note}"` }
}

/** The attempts at the first task of a job. */
export async function attemptsOf(client: MusterClient, jobId: string): Promise<WireTaskDetail['attempts']> {
  const [task] = await tasksOf(client, jobId)
  return take(await client.getTask(task?.id ?? '')).attempts
}
