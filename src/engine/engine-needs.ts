import type { SessionId } from '../domain/id.ts'
import type { AgentProvider } from '../ports/agent-provider.ts'
import type { Clock } from '../ports/clock.ts'
import type { ConfigurationSource } from '../ports/configuration-source.ts'
import type { CrashPoints } from '../ports/crash-points.ts'
import type { Disk } from '../ports/disk.ts'
import type { Hub } from '../ports/hub.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { SessionHost } from '../ports/session-host.ts'
import type { Store } from '../ports/store/store.ts'

/** Everything the use cases are given; each picks what it needs. */
export type EngineNeeds = {
  readonly store: Store
  readonly hub: Hub
  readonly host: SessionHost
  readonly disk: Disk
  readonly providers: ReadonlyMap<string, AgentProvider>
  readonly configuration: ConfigurationSource
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly crash: CrashPoints
  readonly settings: EngineSettings
  /** Takes a session's spools over: from now on its lines become events. Harmless when already taken. */
  readonly adoptSession: (sessionId: SessionId) => void
}

export type EngineSettings = {
  readonly treesDirectory: string
  /** The variables of the daemon's own environment that programs may see. */
  readonly passedEnvironment: Readonly<Record<string, string>>
  readonly daemonUrl: () => string
  /** A token for one session's agent, derived, so that a restart gives the same one. */
  readonly tokenOf: (sessionId: SessionId) => string
  /** Random text that fences untrusted text off in one prompt. */
  readonly makeBoundary: () => string
  /** Live agent sessions over all jobs. */
  readonly maxSessions: number
  readonly outputCapBytes: number
  readonly checkMinutes: number
  readonly stopGraceMs: number
  readonly minimumFreeMb: number
}
