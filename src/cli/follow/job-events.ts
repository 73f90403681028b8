import { setTimeout as pause } from 'node:timers/promises'
import { FollowError, type MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { probeDaemon } from '../daemon/probe-daemon.ts'

type Needs = Pick<CommandNeeds, 'options' | 'home' | 'output'>

const LOOK_AGAIN_MS = 500
const GIVE_UP_MS = 120_000

/**
 * A job's events until it is over or the signal fires. A daemon that comes back elsewhere is found again, and
 * nothing is lost or repeated; one that stays away ends it with a FollowError.
 */
export async function* jobEvents(
  needs: Needs,
  first: MusterClient,
  jobId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  let client = first
  let place = after
  for (;;) {
    const broken = new AbortController()
    const events = client.follow(jobId, {
      after: place,
      signal: AbortSignal.any([signal, broken.signal]),
      onInterrupt: () => broken.abort(),
    })
    for await (const event of events) {
      place = event.seq
      yield event
    }
    if (signal.aborted || !broken.signal.aborted) return
    needs.output.note('lost the daemon; waiting for it to come back')
    client = await findAgain(needs, client, signal)
  }
}

/** Only looks: someone may have stopped the daemon on purpose. */
async function findAgain(needs: Needs, last: MusterClient, signal: AbortSignal): Promise<MusterClient> {
  const deadline = Date.now() + GIVE_UP_MS
  while (Date.now() < deadline && !signal.aborted) {
    const found = await lookOnce(needs, last)
    if (found !== undefined) return found
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
  if (signal.aborted) return last
  throw new FollowError({
    status: 0,
    type: 'unreachable',
    message: `the daemon has been away for ${GIVE_UP_MS / 1000} s; the job goes on when it is back`,
    next: 'muster status',
  })
}

async function lookOnce(needs: Needs, last: MusterClient): Promise<MusterClient | undefined> {
  if (needs.options.server !== undefined) return (await last.health()).ok ? last : undefined
  const probe = await probeDaemon(needs.home)
  return probe.type === 'ready' ? probe.client : undefined
}
