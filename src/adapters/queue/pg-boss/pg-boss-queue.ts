import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import type { Log } from '../../../ports/log.ts'
import type { Work, WorkQueue, WorkType } from '../../../ports/work-queue.ts'

/** Quick decisions must not wait behind slow acts such as a large checkout, nor a stop behind anything. */
const LANES = { decide: 3, act: 4, stop: 2, tidy: 1 } as const
type Lane = keyof typeof LANES

const LANE_OF: Record<WorkType, Lane> = {
  'job-advance': 'decide',
  'attempt-start': 'act',
  'attempt-settle': 'act',
  'attempt-clear': 'tidy',
  'landing-advance': 'act',
  'base-follow': 'act',
  'check-start': 'act',
  'session-stop': 'stop',
  'session-resume': 'act',
  'session-start': 'act',
  'session-clear': 'tidy',
  'approval-expire': 'decide',
  'cycle-update': 'act',
  'job-deliver': 'act',
  'trees-warm': 'tidy',
}

const RETRY_SECONDS = 1
/** One place of each lane looks now and then, for retries whose wake-up was lost with its process. */
const WATCHFUL_POLL_SECONDS = 5
const IDLE_POLL_SECONDS = 60

const QUEUE_SETTINGS: Omit<Queue, 'name'> = {
  policy: 'standard',
  notify: true,
  retryLimit: 20,
  retryDelay: RETRY_SECONDS,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 900,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3600,
}

/** Tidying takes processor time from what people wait for, so it comes after. */
const TIDY_DELAY_SECONDS = 2

function delayOf(lane: Lane): { readonly startAfter?: number } {
  return lane === 'tidy' ? { startAfter: TIDY_DELAY_SECONDS } : {}
}

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

  const insert: WorkQueue['sendWithin'] = async (transaction, work) => {
    for (const lane of Object.keys(LANES) as Lane[]) {
      const jobs = work
        .filter((item) => LANE_OF[item.type] === lane)
        .map((item) => ({ data: item, ...delayOf(lane) }))
      if (jobs.length > 0) await boss.insert(lane, jobs, { db: transaction as never })
    }
  }
  const wakeAgain = createReWaker(boss)
  return {
    async start(handle) {
      await boss.start()
      for (const [lane, places] of Object.entries(LANES)) {
        await boss.createQueue(lane, QUEUE_SETTINGS)
        for (let place = 0; place < places; place += 1) await openPlace(boss, lane, place, handle, wakeAgain)
      }
    },
    sendWithin: insert,
    async send(work) {
      const lane = LANE_OF[work.type]
      await boss.insert(lane, [{ data: work, ...delayOf(lane) }])
    },
    async stop() {
      wakeAgain.stop()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

/**
 * One place of a lane. pg-boss goes to sleep after every single job, even if more are waiting, and sleeps
 * through the time at which a failed one is due: so each place is woken after what it did.
 */
async function openPlace(
  boss: PgBoss,
  lane: string,
  place: number,
  handle: (work: Work) => Promise<void>,
  wakeAgain: ReWaker,
): Promise<void> {
  const opened = { id: '' }
  opened.id = await boss.work<Work>(
    lane,
    { notifyPollingIntervalSeconds: place === 0 ? WATCHFUL_POLL_SECONDS : IDLE_POLL_SECONDS },
    async (jobs) => {
      try {
        for (const job of jobs) await handle(job.data)
        wakeAgain.now(opened.id)
      } catch (error) {
        wakeAgain.later(opened.id)
        throw error
      }
    },
  )
}

type ReWaker = { now(id: string): void; later(id: string): void; stop(): void }

function createReWaker(boss: PgBoss): ReWaker {
  const timers = new Set<NodeJS.Timeout>()
  const now = (id: string) => boss.notifyWorker(id)
  return {
    now,
    later(id) {
      now(id)
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          now(id)
        },
        RETRY_SECONDS * 1000 + 100,
      ).unref()
      timers.add(timer)
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
