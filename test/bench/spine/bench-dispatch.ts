import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import type { WireEvent } from '../../../src/client/index.ts'
import { agentText } from '../../support/agent-output.ts'
import type { TestHome } from '../../support/test-daemon.ts'
import { median, milliseconds, percentile, report } from '../figures.ts'
import { connectionOf } from './database-of.ts'
import { oneTaskProject, startJob } from './one-task-project.ts'

const JOBS = 30
const STAMP = 'date +%s%N'

/** Measures the time from the commit that makes a task ready to the first instruction of its agent. */
export async function benchDispatch(home: TestHome): Promise<void> {
  const floor = (await medianSpawn()) + (await medianCommit(home))
  await using repository = await oneTaskProject(STAMP)
  await using daemon = await home.start()
  const samples: number[] = []
  for (let count = 0; count < JOBS; count += 1) {
    const jobId = await startJob(daemon, repository)
    samples.push(await dispatchOf(daemon.client.follow(jobId)))
  }
  const half = median(samples)
  report({
    what: 'task ready to agent started, p50',
    figure: `${milliseconds(half)} = ${(half / floor).toFixed(1)} floors`,
    floor: milliseconds(floor),
    aim: 'at most 5 floors and 30 ms',
    isMet: half <= 30 && half <= 5 * floor,
  })
  report({ what: 'task ready to agent started, p90', figure: milliseconds(percentile(samples, 0.9)) })
}

/** The event has the time of its transaction's start, so the figure includes the commit. */
async function dispatchOf(events: AsyncIterable<WireEvent>): Promise<number> {
  let readyAt = Number.NaN
  let startedAt = Number.NaN
  for await (const event of events) {
    if (event.type === 'cycle_tasks_discovered') readyAt = Date.parse(event.at)
    const text = agentText(event)
    if (/^\d{19}$/.test(text)) startedAt = Number(BigInt(text) / 1000n) / 1000
  }
  return startedAt - readyAt
}

async function medianSpawn(): Promise<number> {
  const samples: number[] = []
  for (let count = 0; count < JOBS; count += 1) {
    const before = performance.timeOrigin + performance.now()
    const child = spawn('/bin/sh', ['-c', STAMP], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    samples.push(Number(BigInt(chunk.toString().trim()) / 1000n) / 1000 - before)
    if (child.exitCode === null) await once(child, 'exit')
  }
  return median(samples)
}

async function medianCommit(home: TestHome): Promise<number> {
  await using _daemon = await home.start()
  const client = new pg.Client(await connectionOf(home))
  await client.connect()
  await client.query('create table if not exists bench_commit (n bigint)')
  const samples: number[] = []
  for (let count = 0; count < 200; count += 1) {
    const before = performance.now()
    await client.query('insert into bench_commit values (1)')
    samples.push(performance.now() - before)
  }
  await client.query('drop table bench_commit')
  await client.end()
  return median(samples)
}
