import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DAEMON_PERIODS } from '../../../domain/limits/daemon-periods.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure, HostId, HostRequest, SessionHost } from '../../../ports/session-host.ts'
import { type StartProcess, startProcess } from '../../shared/processes/start-process.ts'
import { parseHostId } from '../shared/host-id.ts'
import { createProcessTable, type ProcessTable } from '../shared/process-table.ts'
import { isAbsence } from '../shared/read-if-present.ts'
import { chooseContainment } from './choose-containment.ts'
import type { ContainmentMethods } from './containment-method.ts'
import { ignoreDamage, regainAccess } from './damaged-host.ts'
import { enclose } from './enclose.ts'
import { findContainments, NO_PROGRAM, probe } from './find-containments.ts'
import { readLostOutput, readRanMs } from './host-counts.ts'
import { hostFiles, truncationMark } from './host-files.ts'
import { endInput, ring, writeInput } from './host-input.ts'
import { inspectHost } from './inspect-host.ts'
import { SessionWatches } from './session-watches.ts'
import type { AwayLimit } from './spawn-host.ts'
import { startHost } from './start-host.ts'
import { stopHost } from './stop-host.ts'

export type LocalHostOptions = {
  readonly hostsDirectory: string
  /** How long a session continues without a beat from the daemon. */
  readonly awayMinutes?: number
  /** The longest time between two looks of a host for the beat and for its own files. */
  readonly napSeconds?: number
  /** The containment methods that work here. By default, they are found by trying them. */
  readonly methods?: ContainmentMethods
  /** How hosts are started. By default, this process starts them itself. */
  readonly startProcess?: StartProcess
}

export type LocalHost = SessionHost & {
  /** Shared with the terminal host, which contains its programs in the same way. */
  readonly processes: ProcessTable
  contain(
    request: Pick<HostRequest, 'sandbox' | 'cwd' | 'environment'>,
  ): Promise<Result<ContainmentCommand, HostFailure>>

  /** The strongest containment that works here, which sessions get by default. */
  readonly containment: Containment
  /** Why stronger ones don't work, and how to fix that. */
  readonly containmentProblems: Readonly<Partial<Record<Containment, string>>>
}

/** A command to put in front of a program, and how firmly it contains the program's processes. */
type ContainmentCommand = { readonly containment: Containment; readonly command: readonly string[] }

/** Thousands of mounts take bubblewrap several seconds. A session waits for them too. */
const TRY_TIMEOUT_MS = 60_000
const NOTHING = new Uint8Array()

/** Runs sessions on this machine, each under a small shell script that outlives the daemon. */
export async function createLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const hostsDirectory = resolve(options.hostsDirectory)
  await mkdir(hostsDirectory, { recursive: true, mode: 0o700 })
  const away = awayLimit(hostsDirectory, options)
  const { startProcess: start = startProcess } = options
  const [methods, processes] = await Promise.all([
    options.methods ?? findContainments(),
    createProcessTable(),
  ])
  const watches = new SessionWatches({ processes })
  const directoryOf = (hostId: HostId) => join(hostsDirectory, hostId)
  const filesOf = (hostId: HostId) => hostFiles(directoryOf(hostId))

  const host: LocalHost = {
    containment: methods.working[0]?.containment ?? 'process-group',
    containmentProblems: methods.problems,
    processes,
    async contain(request) {
      const method = chooseContainment(methods, request.sandbox)
      if (!method.ok) return method
      const command = await enclose({ methods }, method.value, request)
      return command.ok ? success({ containment: method.value.containment, command: command.value }) : command
    },
    directoryOf,
    async prepare(hostId) {
      const directory = directoryOf(hostId)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    async containmentFor(policy) {
      const method = chooseContainment(methods, policy)
      return method.ok ? success(method.value.containment) : method
    },
    async trySandbox(request) {
      const contained = await host.contain(request)
      if (!contained.ok) return contained
      const { containment, command } = contained.value
      const tried = await probe([...command, ...NO_PROGRAM], TRY_TIMEOUT_MS)
      return tried.ok
        ? success(containment)
        : failure({ type: 'sandbox-unavailable', level: containment, problem: tried.failure })
    },
    start: (request) => startHost({ methods, away, startProcess: start }, filesOf(request.hostId), request),
    inspect: (hostId) => inspectHost({ processes }, filesOf(hostId)),
    read: (hostId, spool, offset, limit) => readSpool(filesOf(hostId)[spool], offset, limit),
    write: (hostId, offset, bytes) => writeInput(filesOf(hostId), offset, bytes),
    closeInput: (hostId) => endInput(filesOf(hostId)),
    watch: (hostId, onChange) => watches.add(filesOf(hostId), onChange),
    stop: (hostId, graceMs) => stopHost({ processes }, filesOf(hostId), graceMs),
    async remove(hostId) {
      await regainAccess(directoryOf(hostId))
      // A host that is still running ends its program when its files are gone.
      const snapshot = await host.inspect(hostId).catch(ignoreDamage)
      if (snapshot?.type === 'running') throw new Error(`session ${hostId} is running and cannot be removed`)
      await rm(directoryOf(hostId), { recursive: true, force: true, maxRetries: 3 })
    },
    list: () => listHosts(hostsDirectory),
    beat: () => writeFile(away.heartbeatFile, `${randomUUID()}\n`, { mode: 0o600 }),
    async truncated(hostId, spool) {
      const mark = await stat(truncationMark(filesOf(hostId), spool)).catch(() => undefined)
      return mark !== undefined && mark.size > 0
    },
    lostOutput: (hostId, spool) => readLostOutput(filesOf(hostId), spool),
    ranMs: (hostId) => readRanMs(filesOf(hostId)),
  }
  await host.beat()
  // The last daemon may have died between writing input and waking the feeder.
  for (const hostId of await host.list()) await ring(filesOf(hostId))
  return host
}

function awayLimit(hostsDirectory: string, options: LocalHostOptions): AwayLimit {
  const napMs = options.napSeconds === undefined ? DAEMON_PERIODS.hostLookMs : options.napSeconds * 1_000
  const awayMs = Math.round((options.awayMinutes ?? DAEMON_PERIODS.unwatchedMinutes) * 60_000)
  return { heartbeatFile: join(hostsDirectory, '.alive'), napMs, awayMs: Math.max(2 * napMs, awayMs) }
}

async function listHosts(hostsDirectory: string): Promise<readonly HostId[]> {
  const names = await readdir(hostsDirectory)
  return names.map(parseHostId).filter((id) => id !== undefined)
}

/** At most `limit` bytes of a file from `offset`. Empty at the end of the file, or if it doesn't exist. */
async function readSpool(path: string, offset: number, limit: number): Promise<Uint8Array> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const wanted = Math.min(limit, size - offset)
    if (wanted <= 0) return NOTHING
    const { buffer, bytesRead } = await file.read(new Uint8Array(wanted), 0, wanted, offset)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (isAbsence(error)) return NOTHING
    throw error
  }
}
