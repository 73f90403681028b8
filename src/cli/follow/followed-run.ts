import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { FollowEnd, FollowFlags } from './follow-flags.ts'

type Followed = {
  readonly link: DaemonLink
  readonly jobId: string
  readonly run?: string | undefined
  readonly only?: FollowFlags['only']
}

/** Why following ends with this event, although the job goes on. */
export async function endAfter(
  { output }: CommandNeeds,
  place: Followed,
  event: WireEvent,
): Promise<FollowEnd | undefined> {
  if (isEndOfRun(place, event)) return 'ended'
  return !output.isTerminal && (await isBaseAsked(place, event)) ? 'asked' : undefined
}

/** Whether an event is about another task than the one that is followed. */
export function isOfOther({ only }: Followed, { taskId }: WireEvent): boolean {
  return only !== undefined && taskId !== undefined && taskId !== only.taskId
}

function isEndOfRun({ only, run }: Followed, event: WireEvent): boolean {
  const hasEnded = event.type === 'run_ended' || event.type === 'run_cancelled'
  return only !== undefined && hasEnded && event.data.runId === run
}

/** Whether a job waits for a decision about its base now: an earlier event may have been answered since. */
async function isBaseAsked({ link, jobId }: Followed, { type }: WireEvent): Promise<boolean> {
  if (type !== 'base_checked' && type !== 'base_fix_ended') return false
  const base = await link.client.getBase(jobId)
  return base.ok && base.value.choices.length > 0
}
