import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DAEMON_PERIODS } from '../../../domain/limits/daemon-periods.ts'
import { type Result, success } from '../../../domain/result.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure, HostId, HostRequest, SessionHost } from '../../../ports/session-host.ts'
import { chooseHolding } from './choose-holding.ts'
import { enclose } from './enclose.ts'
import { findHoldings } from './find-holdings.ts'
import { hostFiles, truncationMark } from './host-files.ts'
import { parseHostId } from './host-id.ts'
import { endInput, ring, writeInput } from './host-input.ts'
import { lookAtHost } from './look-at-host.ts'
import { createProcessTable, type ProcessTable } from './process-table.ts'
import { readSpool } from './read-spool.ts'
import { SessionWatches } from './session-watches.ts'
import type { AwayLimit } from './spawn-host.ts'
import { startHost } from './start-host.ts'
import { stopHost } from './stop-host.ts'

export type LocalHostOptions = {
  readonly hostsDirectory: string
  /** How long a session goes on while no daemon beats. */
  readonly awayMinutes?: number
  /** How often a host looks for the beat. */
  readonly awayTickSeconds?: number
}

export type LocalHost = SessionHost & {
  /** What is held in other ways than by a session's host shares these: terminals do. */
  readonly processes: ProcessTable
  hold(request: Pick<HostRequest, 'sandbox' | 'cwd' | 'environment'>): Promise<Result<Hold, HostFailure>>

  /** The strongest that works here: how sessions without a wish of their own are held. */
  readonly containment: Containment
  /** Why stronger ones do not work, and what could be done about it. */
  readonly containmentProblems: Readonly<Partial<Record<Containment, string>>>
}

/** The command put before a program, and how firmly it then holds all that the program starts. */
type Hold = { readonly containment: Containment; readonly command: readonly string[] }

const AWAY_TICK_SECONDS = 60

/** Sessions on this machine, each under a small shell script that outlives the daemon. */
export async function createLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const hostsDirectory = resolve(options.hostsDirectory)
  await mkdir(hostsDirectory, { recursive: true, mode: 0o700 })
  const away = awayLimit(hostsDirectory, options)
  const [holdings, processes] = await Promise.all([findHoldings(), createProcessTable()])
  const watches = new SessionWatches({ processes })
  const directoryOf = (hostId: HostId) => join(hostsDirectory, hostId)
  const filesOf = (hostId: HostId) => hostFiles(directoryOf(hostId))

  const host: LocalHost = {
    containment: holdings.working[0]?.containment ?? 'process-group',
    containmentProblems: holdings.problems,
    processes,
    async hold(request) {
      const holding = chooseHolding(holdings, request.sandbox)
      if (!holding.ok) return holding
      const command = await enclose({ holdings }, holding.value, request)
      return success({ containment: holding.value.containment, command })
    },
    directoryOf,
    async prepare(hostId) {
      const directory = directoryOf(hostId)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    async containmentFor(policy) {
      const holding = chooseHolding(holdings, policy)
      return holding.ok ? success(holding.value.containment) : holding
    },
    start: (request) => startHost({ holdings, away }, filesOf(request.hostId), request),
    look: (hostId) => lookAtHost({ processes }, filesOf(hostId)),
    read: (hostId, spool, offset, limit) => readSpool(filesOf(hostId)[spool], offset, limit),
    write: (hostId, offset, bytes) => writeInput(filesOf(hostId), offset, bytes),
    closeInput: (hostId) => endInput(filesOf(hostId)),
    watch: (hostId, onChange) => watches.add(filesOf(hostId), onChange),
    stop: (hostId, graceMs) => stopHost({ processes }, filesOf(hostId), graceMs),
    async remove(hostId) {
      const sight = await host.look(hostId)
      if (sight.type === 'running') throw new Error(`session ${hostId} is running and cannot be removed`)
      await rm(directoryOf(hostId), { recursive: true, force: true, maxRetries: 3 })
    },
    list: () => listHosts(hostsDirectory),
    beat: () => writeFile(away.heartbeatFile, `${randomUUID()}\n`, { mode: 0o600 }),
    async truncated(hostId, spool) {
      const mark = await stat(truncationMark(filesOf(hostId), spool)).catch(() => undefined)
      return mark !== undefined && mark.size > 0
    },
  }
  await host.beat()
  // A daemon may have died between writing to a program and waking its feeder.
  for (const hostId of await host.list()) await ring(filesOf(hostId))
  return host
}

function awayLimit(hostsDirectory: string, options: LocalHostOptions): AwayLimit {
  const tickSeconds = options.awayTickSeconds ?? AWAY_TICK_SECONDS
  const ticks = Math.ceil(((options.awayMinutes ?? DAEMON_PERIODS.unwatchedMinutes) * 60) / tickSeconds)
  return { heartbeatFile: join(hostsDirectory, '.alive'), tickSeconds, ticks: Math.max(2, ticks) }
}

async function listHosts(hostsDirectory: string): Promise<readonly HostId[]> {
  const names = await readdir(hostsDirectory)
  return names.map(parseHostId).filter((id) => id !== undefined)
}
