import type { MusterClient, WireMessage } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
import { answerOf } from '../muster-error.ts'

type Client = Pick<MusterClient, 'listRuns' | 'listMessages' | 'listSessionEvents'>

/** How much of the job's newest run is done, from 0 to 1; undefined if that can't be read now. */
export async function readProgress(client: Client, job: string): Promise<number | undefined> {
  const runs = await readAll((page) => client.listRuns({ job, ...page }))
  return runs.ok ? (runs.value.at(-1)?.progress ?? 0) : undefined
}

/** The messages of a job, oldest first; undefined if they can't be read now. */
export async function readMessages(client: Client, job: string): Promise<readonly WireMessage[] | undefined> {
  const messages = await readAll((page) => client.listMessages({ job, ...page }))
  return messages.ok ? messages.value.toReversed() : undefined
}

/** The last lines of text among the latest events of a session. */
export async function readLastLines(client: Client, sessionId: string, count: number): Promise<string> {
  const { items } = await answerOf(client.listSessionEvents(sessionId, { tail: LIST_LIMITS.mostEvents }))
  const lines = items.flatMap((event) =>
    event.type === 'agent_message' && event.data.type === 'text' ? event.data.text.split('\n') : [],
  )
  return count > 0 ? lines.slice(-count).join('\n') : ''
}
