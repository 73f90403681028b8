import type { Cluster } from './cluster.ts'
import { readPostmasterFacts } from './postmaster-facts.ts'
import { judgePostmaster } from './postmaster-verdict.ts'
import { runPostgresProgram } from './run-postgres-program.ts'

/** Committed rows are safe in both; the second leaves the server to replay its log at the next start. */
const LADDER = [
  { mode: 'fast', seconds: 20 },
  { mode: 'immediate', seconds: 10 },
] as const

/** Asks, waits, then insists. Does nothing when no server of this cluster runs. True when none runs afterwards. */
export async function stopPostmaster(cluster: Cluster): Promise<boolean> {
  for (const rung of LADDER) {
    if (!(await isRunning(cluster))) return true
    await runPostgresProgram(cluster.account, {
      program: cluster.binaries.pgCtl,
      arguments: ['stop', '--silent', '--wait', `--mode=${rung.mode}`, `--timeout=${rung.seconds}`],
      timeoutMs: (rung.seconds + 5) * 1000,
      environment: { PGDATA: cluster.places.data },
    })
  }
  return !(await isRunning(cluster))
}

async function isRunning(cluster: Cluster): Promise<boolean> {
  const verdict = judgePostmaster(await readPostmasterFacts(cluster))
  return verdict.type === 'ready' || (verdict.type === 'changing' && verdict.pid !== undefined)
}
