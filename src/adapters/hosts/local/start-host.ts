import { mkdir } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostRequest, HostStarted } from '../../../ports/session-host.ts'
import type { ProcessEnd, StartProcess } from '../../shared/processes/start-process.ts'
import { findRunnable } from '../shared/find-runnable.ts'
import { forbidStart } from '../shared/process-record.ts'
import { chooseContainment } from './choose-containment.ts'
import type { ContainmentMethods } from './containment-method.ts'
import { enclose } from './enclose.ts'
import type { HostFiles } from './host-files.ts'
import { startedOf } from './inspect-host.ts'
import { readPidFile } from './pid-file.ts'
import { type AwayLimit, hostProcess } from './spawn-host.ts'
import { waitForChange } from './wait-for-change.ts'

type Needs = {
  readonly methods: ContainmentMethods
  readonly away: AwayLimit
  readonly startProcess: StartProcess
}

const CLAIM_TIMEOUT_MS = 10_000
const LOOK_INTERVAL_MS = 50

/**
 * Starts a session's host unless it has one. Other calls at the same moment, in this process or another, may start a
 * host too. Only the host that creates the PID file continues.
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
  const method = chooseContainment(needs.methods, request.sandbox)
  if (!method.ok) return method
  const holder = await enclose(needs, method.value, request)
  if (!holder.ok) return holder
  await mkdir(files.directory, { recursive: true, mode: 0o700 })

  const host = hostProcess({
    ...request,
    files,
    holder: holder.value,
    away: needs.away,
    containment: method.value.containment,
    ownGroup: needs.methods.ownGroup,
    command: [program.value, ...request.command.slice(1)],
    memoryMb: request.sandbox.memoryMb,
    maxProcesses: request.sandbox.maxProcesses,
  })
  const seen: { end?: ProcessEnd } = {}
  needs.startProcess(host, {
    onEnd: (end) => {
      seen.end = end
    },
  })
  return await awaitClaim(files, seen)
}

async function awaitClaim(
  files: HostFiles,
  seen: { readonly end?: ProcessEnd },
): Promise<Result<HostStarted, HostFailure>> {
  const find = async () => {
    const { end } = seen
    if (end?.type === 'unstartable') return unstartable(end.problem)
    const record = await readPidFile(files.pid)
    if (record.type === 'claimed') return success(startedOf(record))
    if (record.type === 'forbidden') return unstartable('stopped before it was started')
    return end?.type === 'ended' && record.type === 'unclaimed'
      ? unstartable('the host could not write its files')
      : undefined
  }
  const wait = { directory: files.directory, intervalMs: LOOK_INTERVAL_MS, inspect: find }
  const claimed = await waitForChange({ ...wait, timeoutMs: CLAIM_TIMEOUT_MS })
  if (claimed !== undefined) return claimed

  // A slow host must not start the program after this call has reported a failure.
  await forbidStart(files)
  return (await find()) ?? unstartable('the host did not start in time')
}

function unstartable(problem: string) {
  return failure<HostFailure>({ type: 'host-unstartable', problem })
}
