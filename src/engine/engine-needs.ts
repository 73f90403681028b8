import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { MessageId, SessionId } from '../domain/id.ts'
import type { SandboxPolicy } from '../domain/session/sandbox-policy.ts'
import type { Branches } from '../ports/branches.ts'
import type { Clock } from '../ports/clock.ts'
import type { Commits } from '../ports/commits.ts'
import type { ConfigurationSource } from '../ports/configuration-source.ts'
import type { CrashPoints } from '../ports/crash-points.ts'
import type { Disk } from '../ports/disk.ts'
import type { History } from '../ports/history.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { SessionHost } from '../ports/session-host.ts'
import type { Store } from '../ports/store/store.ts'
import type { TerminalHost } from '../ports/terminal-host.ts'
import type { Work } from '../ports/work-queue.ts'
import type { WorkingTrees } from '../ports/working-trees.ts'
import type { OutboxWatches } from './messages/outbox-watches.ts'
import type { AgentProviderRegistry } from './providers/agent-provider-registry.ts'
import type { RoleTable } from './roles/role.ts'

/** Everything the use cases are given; each picks what it needs. */
export type EngineNeeds = {
  readonly store: Store
  readonly trees: WorkingTrees
  readonly branches: Branches
  readonly history: History
  readonly commits: Commits
  readonly host: SessionHost
  readonly terminals: TerminalHost
  readonly disk: Disk
  readonly providers: AgentProviderRegistry
  readonly roles: RoleTable
  readonly configuration: ConfigurationSource
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly crash: CrashPoints
  readonly settings: EngineSettings
  /** Takes messages out of the outboxes of live sessions. */
  readonly mail: Pick<OutboxWatches, 'adopt' | 'collect' | 'release'>
  /** Sends an answer to whoever asked in this message; done again it does nothing. */
  readonly answerLetter: (message: MessageId, text: string) => Promise<void>
  /** Sends work outside of a transaction: only what is a repeat, or of no consequence when lost. */
  readonly sendWork: (work: Work) => Promise<void>
  /** Sends work at a time. Forgotten with the process: rows remember, and the reconciler sets it again. */
  readonly wakeAt: (at: Date, work: Work) => void
  /** Takes a session's spools over: from now on its lines become events. Harmless when already taken. */
  readonly adoptSession: (sessionId: SessionId) => void
}

export type EngineSettings = {
  readonly treesDirectory: string
  /** Where trees are kept that nobody has worked in yet. */
  readonly warmDirectory: string
  readonly hubsDirectory: string
  /** Muster's own directory, and the person's. */
  readonly musterHome: string
  readonly personHome: string
  /** Where the `muster` command that agents use, and what it is made of, lie. */
  readonly ownTools: readonly string[]
  /** The variables of the daemon's own environment that programs may see. */
  readonly passedEnvironment: Readonly<Record<string, string>>
  /** Those variables of the daemon's environment that a provider may see because they are its credentials. */
  readonly credentialsOf: (names: readonly string[]) => Readonly<Record<string, string>>
  /** Makes the credentials in an agent's own environment known, so that nothing its program prints shows them. */
  readonly learnSecretsOf: (agent: AgentSpec) => void
  readonly daemonUrl: () => string
  /** A token for one session's agent, derived, so that a restart gives the same one. */
  readonly tokenOf: (sessionId: SessionId) => string
  /** Random text that fences untrusted text off in one prompt. */
  readonly makeBoundary: () => string
  /** Live agent sessions over all jobs. */
  readonly maxSessions: number
  readonly outputCapBytes: number
  readonly checkMinutes: number
  /** How many candidates of a job are checked at once. */
  readonly checkSlots: number
  readonly stopGraceMs: number
  /** How long a program whose conversation is over may take to end by itself. */
  readonly finishGraceMs: number
  /** How long a program may take to answer in its protocol that it is ready. */
  readonly readyMs: number
  readonly approvalMinutes: number
  /** How long to rest when a program is out of quota and does not say until when. */
  readonly limitMinutes: number
  /** The share of its context at which a session is asked to hand over. */
  readonly handoffShare: number
  /** Replaces every project's own choice; for machines where only one works. */
  readonly sandboxLevel?: SandboxPolicy['level']
  readonly minimumFreeMb: number
  /** Memory that programs could still take on this machine. */
  readonly freeMemoryMb: () => number
  /** The person whose daemon this is: jobs are theirs unless they say otherwise. */
  readonly userName: string
  /** How long each setup command of a new tree may take. */
  readonly setupMs: number
  /** Unused trees that are kept ready for each project while a job of it runs. */
  readonly warmTrees: number
}
