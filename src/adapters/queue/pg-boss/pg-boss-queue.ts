import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { Log } from '../../../ports/log.ts'
import type { Work, WorkQueue } from '../../../ports/work-queue.ts'
import { LANE_OF, LANES, type Lane } from './lanes.ts'
import { LocalPlaces, type StoredWork } from './local-places.ts'
import { StoredCopies } from './stored-copies.ts'

const RETRY_SECONDS = 1
/** One place of each lane looks now and then, for retries whose wake-up was lost with its process. */
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
 * When the stored copy of committed work is due. By then this process has usually done it and removed the copy; if it
 * died or failed, the copy is what gets the work done. Tidying has no hurry and is only ever done by its copy.
 */
const COPY_DELAY_SECONDS = 2
const STOP_TIMEOUT_MS = 10_000

type Needs = { readonly log: Log }

export function createPgBossQueue(needs: Needs, connection: pg.PoolConfig): WorkQueue {
  const boss = new PgBoss({
    ...(connection as object),
    max: 6,
    schema: 'pgboss',
    schedule: false,
    useListenNotify: true,
    application_name: 'muster-queue',
  })
  // A lost connection is reported here and mended by the next poll; it must not end the process.
  boss.on('error', (error) => needs.log.warn({ error: error.message }, 'queue error'))

  const wakeAgain = createReWaker(boss)
  const copies = new StoredCopies({ boss, log: needs.log })
  let places: LocalPlaces | undefined
  return {
    async start(handle) {
      const firstPlaceOf = new Map<Lane, string>()
      const local = new LocalPlaces({
        handle,
        onDone: ({ lane, id }) => copies.remove(lane, id),
        onFailed: ({ lane }) => wakeAgain.later(firstPlaceOf.get(lane) ?? '', COPY_DELAY_SECONDS),
      })
      await boss.start()
      for (const lane of Object.keys(LANES) as Lane[]) {
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
      for (const lane of new Set(items.map((item) => item.lane))) {
        const jobs = items
          .filter((item) => item.lane === lane)
          .map(({ id, work: data }) => ({ id, data, startAfter: COPY_DELAY_SECONDS }))
        await boss.insert(lane, jobs, { db: transaction as never })
      }
      return () => places?.take(items.filter(({ lane }) => lane !== 'tidy'))
    },
    async send(work) {
      const lane = LANE_OF[work.type]
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
 * One place of a lane. pg-boss goes to sleep after every single job, even if more are waiting, and sleeps
 * through the time at which a failed one is due: so each place is woken after what it did.
 */
async function openPlace(
  boss: PgBoss,
  lane: Lane,
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
        // pg-boss stores what it is thrown, and the text may hold what must not be stored. The log has it, redacted.
        throw new Error('the handler failed; the log says why', { cause: error })
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
