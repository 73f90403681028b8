import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import type { TestHome } from '../../support/test-daemon.ts'
import { median } from '../figures.ts'
import { connectionOf } from '../spine/database-of.ts'

const SPAWNS = 30
const COMMITS = 200

/** The least that starting a program after a decision can take: one commit and a bare spawn, in milliseconds. */
export async function floorOf(home: TestHome): Promise<number> {
  await using _daemon = await home.start()
  const client = new pg.Client(await connectionOf(home))
  await client.connect()
  await client.query('create table if not exists bench_commit (n bigint)')
  const commits: number[] = []
  for (let count = 0; count < COMMITS; count += 1) {
    const before = performance.now()
    await client.query('insert into bench_commit values (1)')
    commits.push(performance.now() - before)
  }
  await client.query('drop table bench_commit')
  await client.end()
  const spawns: number[] = []
  for (let count = 0; count < SPAWNS; count += 1) {
    const before = performance.now()
    const child = spawn('/bin/sh', ['-c', 'echo'], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    spawns.push(performance.now() - before)
    if (child.exitCode === null) await once(child, 'exit')
  }
  return median(commits) + median(spawns)
}
