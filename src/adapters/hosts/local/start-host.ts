import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostRequest, HostStarted } from '../../../ports/session-host.ts'
import { findProgram } from '../../shared/find-program.ts'
import { chooseHolding } from './choose-holding.ts'
import { enclose } from './enclose.ts'
import { forbidStart } from './forbid-start.ts'
import type { Holdings } from './holding.ts'
import type { HostFiles } from './host-files.ts'
import { startedOf } from './look-at-host.ts'
import { readPidFile } from './pid-file.ts'
import { type AwayLimit, type SpawnRequest, spawnHost } from './spawn-host.ts'
import { waitForChange } from './wait-for-change.ts'

type Needs = { readonly holdings: Holdings; readonly away: AwayLimit }

const CLAIM_TIMEOUT_MS = 10_000
const LOOK_INTERVAL_MS = 50

/**
 * Starts a session's host unless it has one. Whoever calls this at the same moment, in this process or
 * another, may spawn a host too: only the one that makes the pid file goes on.
 */
export async function startHost(
  needs: Needs,
  files: HostFiles,
  request: HostRequest,
): Promise<Result<HostStarted, HostFailure>> {
  const [earlier, program] = await Promise.all([readPidFile(files.pid), findRunnable(request)])
  if (earlier.type === 'claimed') return success(startedOf(earlier))
  if (earlier.type === 'forbidden') return unstartable('stopped before it was started')
  if (!program.ok) return program
  const holding = chooseHolding(needs.holdings, request.sandbox)
  if (!holding.ok) return holding
  const holder = await enclose(needs, holding.value, request)
  await mkdir(files.directory, { recursive: true, mode: 0o700 })

  const spawned = await trySpawn({
    ...request,
    files,
    holder,
    away: needs.away,
    containment: holding.value.containment,
    ownGroup: needs.holdings.ownGroup,
    command: [program.value, ...request.command.slice(1)],
    memoryMb: request.sandbox.memoryMb,
    maxProcesses: request.sandbox.maxProcesses,
  })
  return spawned.ok ? await awaitClaim(files, spawned.value) : spawned
}

async function findRunnable(request: HostRequest): Promise<Result<string, HostFailure>> {
  const [name] = request.command
  const [isDirectory, program] = await Promise.all([
    stat(request.cwd).then(
      (stats) => stats.isDirectory(),
      () => false,
    ),
    findProgram(name, request.cwd, request.environment['PATH']),
  ])
  if (!isDirectory) return failure({ type: 'directory-missing', directory: request.cwd })
  return program === undefined ? failure({ type: 'program-missing', program: name }) : success(program)
}

async function trySpawn(request: SpawnRequest): Promise<Result<ChildProcess, HostFailure>> {
  try {
    const child = spawnHost(request)
    // Some reasons are thrown, others told by an event; without a pid one is coming.
    if (child.pid === undefined) await once(child, 'spawn', { signal: AbortSignal.timeout(CLAIM_TIMEOUT_MS) })
    return success(child)
  } catch (error) {
    return unstartable(error instanceof Error ? error.message : String(error))
  }
}

async function awaitClaim(files: HostFiles, child: ChildProcess): Promise<Result<HostStarted, HostFailure>> {
  const find = async () => {
    const isGone = child.exitCode !== null || child.signalCode !== null
    const record = await readPidFile(files.pid)
    if (record.type === 'claimed') return success(startedOf(record))
    if (record.type === 'forbidden') return unstartable('stopped before it was started')
    return isGone && record.type === 'unclaimed'
      ? unstartable('the host could not write its files')
      : undefined
  }
  const wait = { directory: files.directory, intervalMs: LOOK_INTERVAL_MS, look: find }
  const claimed = await waitForChange({ ...wait, timeoutMs: CLAIM_TIMEOUT_MS })
  if (claimed !== undefined) return claimed

  // A host that is merely slow must not start the program after we said that it failed.
  await forbidStart(files)
  return (await find()) ?? unstartable('the host did not come up in time')
}

function unstartable(problem: string) {
  return failure<HostFailure>({ type: 'host-unstartable', problem })
}
