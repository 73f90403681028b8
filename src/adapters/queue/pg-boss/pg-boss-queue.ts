import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import type { Log } from '../../../ports/log.ts'
import type { Work, WorkQueue, WorkType } from '../../../ports/work-queue.ts'

/** Quick decisions must not wait behind slow acts (a large checkout, a program that is slow to stop). */
const LANES = { decide: 3, act: 4 } as const
type Lane = keyof typeof LANES

const LANE_OF: Record<WorkType, Lane> = {
  'job-advance': 'decide',
  'attempt-start': 'act',
  'attempt-settle': 'act',
  'landing-advance': 'act',
  'check-start': 'act',
  'session-stop': 'act',
  'cycle-update': 'act',
}

const QUEUE_SETTINGS: Omit<Queue, 'name'> = {
  policy: 'standard',
  notify: true,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 900,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3600,
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
      const jobs = work.filter((item) => LANE_OF[item.type] === lane).map((item) => ({ data: item }))
      if (jobs.length > 0) await boss.insert(lane, jobs, { db: transaction as never })
    }
  }
  return {
    async start(handle) {
      await boss.start()
      for (const [lane, concurrency] of Object.entries(LANES)) {
        await boss.createQueue(lane, QUEUE_SETTINGS)
        await boss.work<Work>(
          lane,
          // A full fetch is followed by another at once: one notification may announce several jobs.
          { localConcurrency: concurrency, burstWhenBatchFull: true },
          async (jobs) => {
            for (const job of jobs) await handle(job.data)
          },
        )
      }
    },
    sendWithin: insert,
    async send(work) {
      await boss.insert(LANE_OF[work.type], [{ data: work }])
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}
