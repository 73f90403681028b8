import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseId, type SessionId } from '../../../domain/id.ts'
import type { Containment } from '../../../domain/session/session-state.ts'
import type { SessionHost, Spool } from '../../../ports/session-host.ts'
import { findHolding } from './holding.ts'
import { hostFiles, truncationMark } from './host-files.ts'
import { lookAtHost } from './look-at-host.ts'
import { createProcessTable } from './process-table.ts'
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
  readonly containment?: 'auto' | Containment
}

export type LocalHost = SessionHost & {
  /** How sessions started by this host are held; those of an earlier daemon keep what they had. */
  readonly containment: Containment
  /** Whether output was dropped because the spool had reached its cap. */
  truncated(sessionId: SessionId, spool: Spool): Promise<boolean>
}

const AWAY_MINUTES = 30
const AWAY_TICK_SECONDS = 60

/** Sessions on this machine, each under a small shell script that outlives the daemon. */
export async function createLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const hostsDirectory = resolve(options.hostsDirectory)
  await mkdir(hostsDirectory, { recursive: true, mode: 0o700 })
  const away = awayLimit(hostsDirectory, options)
  const [holding, processes] = await Promise.all([
    findHolding(options.containment ?? 'auto'),
    createProcessTable(),
  ])
  const watches = new SessionWatches({ processes })
  const directoryOf = (sessionId: SessionId) => join(hostsDirectory, sessionId)
  const filesOf = (sessionId: SessionId) => hostFiles(directoryOf(sessionId))

  const host: LocalHost = {
    containment: holding.containment,
    directoryOf,
    async prepare(sessionId) {
      const directory = directoryOf(sessionId)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    start: (request) => startHost({ holding, away }, filesOf(request.sessionId), request),
    look: (sessionId) => lookAtHost({ processes }, filesOf(sessionId)),
    read: (sessionId, spool, offset, limit) => readSpool(filesOf(sessionId)[spool], offset, limit),
    watch: (sessionId, onChange) => watches.add(filesOf(sessionId), onChange),
    stop: (sessionId, graceMs) => stopHost({ processes }, filesOf(sessionId), graceMs),
    async remove(sessionId) {
      const sight = await host.look(sessionId)
      if (sight.type === 'running') throw new Error(`session ${sessionId} is running and cannot be removed`)
      await rm(directoryOf(sessionId), { recursive: true, force: true, maxRetries: 3 })
    },
    list: () => listSessions(hostsDirectory),
    beat: () => writeFile(away.heartbeatFile, `${randomUUID()}\n`, { mode: 0o600 }),
    async truncated(sessionId, spool) {
      const mark = await stat(truncationMark(filesOf(sessionId), spool)).catch(() => undefined)
      return mark !== undefined && mark.size > 0
    },
  }
  await host.beat()
  return host
}

function awayLimit(hostsDirectory: string, options: LocalHostOptions): AwayLimit {
  const tickSeconds = options.awayTickSeconds ?? AWAY_TICK_SECONDS
  const ticks = Math.ceil(((options.awayMinutes ?? AWAY_MINUTES) * 60) / tickSeconds)
  return { heartbeatFile: join(hostsDirectory, '.alive'), tickSeconds, ticks: Math.max(2, ticks) }
}

async function listSessions(hostsDirectory: string): Promise<readonly SessionId[]> {
  const names = await readdir(hostsDirectory)
  return names.map((name) => parseId('session', name)).filter((id) => id !== undefined)
}
