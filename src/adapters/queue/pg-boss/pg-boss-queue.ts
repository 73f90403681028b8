import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { Log } from '../../../ports/log.ts'
import type { Work, WorkQueue } from '../../../ports/work-queue.ts'
import { isStored, LANE_OF, LANES, type Lane, type StoredLane } from './lanes.ts'
import { LocalPlaces, type StoredWork } from './local-places.ts'
import { StoredCopies } from './stored-copies.ts'

const RETRY_SECONDS = 1
/** One worker of each lane polls more often, for retries whose wake-up was lost with its process. */
const WATCHFUL_POLL_SECONDS = 5
const IDLE_POLL_SECONDS = 60

const QUEUE_SETTINGS: Omit<Queue, 'name'> = {
  policy: 'standard',
  notify: true,
  retryLimit: RETRY_LIMITS.queuedWork,
  retryDelay: RETRY_SECONDS,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 900,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3600,
}

/**
 * When the stored copy of committed work is due. By then, this process has usually done the work and removed the copy.
 * If the process died or failed, the copy gets the work done. Tidying isn't urgent, so only its copy does it.
 */
const COPY_DELAY_SECONDS = 2
const STOP_TIMEOUT_MS = 10_000

type Needs = {
  readonly log: Log
  /** Called when no connection can be opened. */
  readonly onUnreachable?: (error: Error) => void
}

/** The socket is gone, or nothing listens on it. */
const UNREACHABLE = new Set<unknown>(['ENOENT', 'ECONNREFUSED'])

export function createPgBossQueue(needs: Needs, connection: pg.PoolConfig): WorkQueue {
  const boss = new PgBoss({
    ...(connection as object),
    max: 6,
    schema: 'pgboss',
    schedule: false,
    useListenNotify: true,
    application_name: 'muster-queue',
  })
  // A lost connection is reported here, and the next poll reconnects. It must not end the process.
  boss.on('error', (error) => {
    needs.log.warn({ error: error.message }, 'queue error')
    if ('code' in error && UNREACHABLE.has(error.code)) needs.onUnreachable?.(error)
  })

  const wakeAgain = createReWaker(boss)
  const copies = new StoredCopies({ boss, log: needs.log })
  let places: LocalPlaces | undefined
  return {
    async start(handle) {
      const firstPlaceOf = new Map<Lane, string>()
      const local = new LocalPlaces({
        handle,
        onDone: ({ lane, id }) => isStored(lane) && copies.remove(lane, id),
        onFailed: ({ lane }) => wakeAgain.later(firstPlaceOf.get(lane) ?? '', COPY_DELAY_SECONDS),
      })
      await boss.start()
      for (const lane of (Object.keys(LANES) as Lane[]).filter(isStored)) {
        await boss.createQueue(lane, QUEUE_SETTINGS)
        for (let place = 0; place < LANES[lane]; place += 1) {
          const id = await openPlace(boss, lane, place, (item) => local.redo(item), wakeAgain)
          if (place === 0) firstPlaceOf.set(lane, id)
        }
      }
      places = local
    },
    async sendWithin(transaction, work) {
      const items = work.map((item) => ({ id: randomUUID(), lane: LANE_OF[item.type], work: item }))
      for (const lane of new Set(items.map((item) => item.lane).filter(isStored))) {
        const jobs = items
          .filter((item) => item.lane === lane)
          .map(({ id, work: data }) => ({ id, data, startAfter: COPY_DELAY_SECONDS }))
        await boss.insert(lane, jobs, { db: transaction as never })
      }
      return () => places?.take(items.filter(({ lane }) => lane !== 'tidy'))
    },
    async send(work) {
      const lane = LANE_OF[work.type]
      if (!isStored(lane)) return places?.take([{ id: randomUUID(), lane, work }])
      await boss.insert(lane, [
        { data: work, ...(lane === 'tidy' ? { startAfter: COPY_DELAY_SECONDS } : {}) },
      ])
    },
    async stop() {
      wakeAgain.stop()
      await places?.close(STOP_TIMEOUT_MS)
      await copies.flush()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}

/**
 * Opens one worker of a lane. pg-boss sleeps after every job, even if more jobs wait, and sleeps through the time at
 * which a failed job is due. So each worker is woken after every job.
 */
async function openPlace(
  boss: PgBoss,
  lane: StoredLane,
  place: number,
  handle: (item: StoredWork) => Promise<void>,
  wakeAgain: ReWaker,
): Promise<string> {
  const opened = { id: '' }
  opened.id = await boss.work<Work>(
    lane,
    { notifyPollingIntervalSeconds: place === 0 ? WATCHFUL_POLL_SECONDS : IDLE_POLL_SECONDS },
    async (jobs) => {
      try {
        for (const { id, data } of jobs) await handle({ id, lane, work: data })
        wakeAgain.now(opened.id)
      } catch (error) {
        wakeAgain.later(opened.id)
        // pg-boss stores the error's message, which may contain secrets. The log has the message, redacted.
        throw new Error('the handler failed; see the log for the reason', { cause: error })
      }
    },
  )
  return opened.id
}

type ReWaker = { now(id: string): void; later(id: string, seconds?: number): void; stop(): void }

function createReWaker(boss: PgBoss): ReWaker {
  const timers = new Set<NodeJS.Timeout>()
  const now = (id: string) => boss.notifyWorker(id)
  return {
    now,
    later(id, seconds = RETRY_SECONDS) {
      now(id)
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          now(id)
        },
        seconds * 1000 + 100,
      ).unref()
      timers.add(timer)
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
