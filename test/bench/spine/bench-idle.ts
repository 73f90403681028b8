import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestHome } from '../../support/test-daemon.ts'
import { report } from '../figures.ts'

const IDLE_MS = 30_000
const TICKS_A_SECOND = 100

/** Measures the memory and processor time of an idle daemon and its database. */
export async function benchIdle(home: TestHome): Promise<void> {
  await using daemon = await home.start()
  const postmaster = Number(
    (await readFile(`${home.home}/postgres/data/postmaster.pid`, 'utf8')).split('\n')[0],
  )
  await sleep(5_000)
  const pids = [daemon.pid, postmaster, ...(await childrenOf(postmaster))]
  const before = await ticksOf(pids)
  await sleep(IDLE_MS)
  const share = (((await ticksOf(pids)) - before) / TICKS_A_SECOND / (IDLE_MS / 1000)) * 100
  const own = await memoryOf([daemon.pid])
  const all = await memoryOf(pids)
  report({ what: 'idle processor time', figure: `${share.toFixed(2)} %`, aim: 'under 1 %', isMet: share < 1 })
  report({ what: 'idle memory (proportional share)', figure: `${own} MB daemon, ${all - own} MB database` })
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

async function ticksOf(pids: readonly number[]): Promise<number> {
  const known = new Set(await readdir('/proc'))
  const stats = await Promise.all(
    pids.filter((pid) => known.has(String(pid))).map((pid) => readFile(`/proc/${pid}/stat`, 'utf8')),
  )
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return sum + Number(fields[11]) + Number(fields[12])
  }, 0)
}

async function memoryOf(pids: readonly number[]): Promise<number> {
  const rollups = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  )
  const kilobytes = rollups.map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024)
}
