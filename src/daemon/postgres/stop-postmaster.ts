import type { Cluster } from './cluster.ts'
import { readPostmasterFacts } from './postmaster-facts.ts'
import { judgePostmaster } from './postmaster-verdict.ts'
import { runPostgresProgram } from './run-postgres-program.ts'

/** Committed rows are safe in both; after the second, the server replays its log at the next start. */
const MODES = [
  { mode: 'fast', seconds: 20 },
  { mode: 'immediate', seconds: 10 },
] as const

/** Asks the server to stop, waits, then forces it. Returns whether none is running afterwards. */
export async function stopPostmaster(cluster: Cluster): Promise<boolean> {
  for (const step of MODES) {
    if (!(await isRunning(cluster))) return true
    await runPostgresProgram(cluster.account, {
      program: cluster.binaries.pgCtl,
      arguments: ['stop', '--silent', '--wait', `--mode=${step.mode}`, `--timeout=${step.seconds}`],
      timeoutMs: (step.seconds + 5) * 1000,
      environment: { PGDATA: cluster.places.data },
    })
  }
  return !(await isRunning(cluster))
}

async function isRunning(cluster: Cluster): Promise<boolean> {
  const verdict = judgePostmaster(await readPostmasterFacts(cluster))
  return verdict.type === 'ready' || (verdict.type === 'changing' && verdict.pid !== undefined)
}
