import type { AttemptId, JobId, MessageId, SessionId } from '../domain/id.ts'
import type { UsualSize } from '../domain/landing/unusual-work.ts'
import type { Redaction } from '../domain/redaction/redaction.ts'
import type { SandboxPolicy } from '../domain/session/sandbox-policy.ts'
import type { Branches } from '../ports/branches.ts'
import type { Clock } from '../ports/clock.ts'
import type { Commits } from '../ports/commits.ts'
import type { Configuration, ConfigurationSource } from '../ports/configuration-source.ts'
import type { CrashPoints } from '../ports/crash-points.ts'
import type { Disk } from '../ports/disk.ts'
import type { History } from '../ports/history.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Pins } from '../ports/pins.ts'
import type { PlaybookSource } from '../ports/playbook-source.ts'
import type { SessionHost } from '../ports/session-host.ts'
import type { Store } from '../ports/store/store.ts'
import type { TerminalHost } from '../ports/terminal-host.ts'
import type { Work } from '../ports/work-queue.ts'
import type { WorkingTrees } from '../ports/working-trees.ts'
import type { Assignments } from './assignment.ts'
import type { OutboxWatches } from './messages/outbox-watches.ts'
import type { AgentProviderRegistry } from './providers/agent-provider-registry.ts'

/** Everything the use cases depend on. Each use case picks what it needs. */
export type EngineNeeds = {
  readonly store: Store
  readonly trees: WorkingTrees
  readonly branches: Branches
  readonly history: History
  readonly commits: Commits
  readonly pins: Pins
  readonly host: SessionHost
  readonly terminals: TerminalHost
  readonly disk: Disk
  readonly providers: AgentProviderRegistry
  readonly assignments: Assignments
  readonly configuration: ConfigurationSource
  readonly playbooks: PlaybookSource
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly crash: CrashPoints
  readonly settings: EngineSettings
  /** Collects messages from the outboxes of live sessions. */
  readonly outboxes: Pick<OutboxWatches, 'adopt' | 'collect' | 'release'>
  /** Answers the sender of this message. Idempotent. */
  readonly answerMessage: (message: MessageId, text: string) => Promise<void>
  /** Sends work outside a transaction: only repeats, or work that may be lost without harm. */
  readonly sendWork: (work: Work) => Promise<void>
  /** Sends work at a given time. The timer dies with the process; the reconciler sets it again from the rows. */
  readonly wakeAt: (at: Date, work: Work) => void
  /** Starts turning a session's output into events. Idempotent. */
  readonly adoptSession: (sessionId: SessionId) => void
}

export type EngineSettings = {
  readonly treesDirectory: string
  /** Where unused, ready-made trees are kept. */
  readonly warmDirectory: string
  readonly hubsDirectory: string
  /** Muster's home directory and the person's. */
  readonly musterHome: string
  readonly personHome: string
  /** The home directory of the person's account, if HOME names another one. */
  readonly accountHome?: string
  /** Where the `muster` command that agents use and its code are. */
  readonly ownTools: readonly string[]
  /** The variables of the daemon's environment that programs may see. */
  readonly passedEnvironment: Readonly<Record<string, string>>
  /** The daemon's environment variables that are a provider's credentials, which only that provider may see. */
  readonly credentialsOf: (names: readonly string[]) => Readonly<Record<string, string>>
  /** Registers agents' credentials and the variables that a configuration marks, so that output is redacted. */
  readonly learnSecretsIn: (configuration: Configuration) => void
  /** Replaces the secrets that are known so far. Text from programs and people passes through it as it comes in. */
  readonly redaction: Redaction
  /** Whether every repository's configuration is trusted without asking, for automation. */
  readonly trustsAll: boolean
  readonly daemonUrl: () => string
  /** The token of a session's agent. It is derived, so it stays the same after a restart. */
  readonly tokenOf: (sessionId: SessionId) => string
  /** Random text that fences off untrusted text in one prompt. */
  readonly makeBoundary: () => string
  /** A random number from 0 to 1. */
  readonly random: () => number
  /** The same items in a random order. */
  readonly shuffle: <Item>(items: readonly Item[]) => readonly Item[]
  /**
   * Jobs whose last advance failed. Until one succeeds, their tasks and planners are passed over, so that they keep no
   * slot from other jobs. Only in memory: after a restart, each gets its turn again.
   */
  readonly stalledJobs: Set<JobId>
  /**
   * Settled attempts whose trees stay, because their work can't be collected. Only in memory: after a restart, each is
   * tried again.
   */
  readonly keptTrees: Set<AttemptId>
  /** The most live agent sessions across all jobs. */
  readonly maxSessions: number
  readonly outputCapBytes: number
  readonly checkMinutes: number
  /** How many of a job's candidates are checked at once. */
  readonly checkSlots: number
  /** Work that is larger waits for a person. */
  readonly usualWork: UsualSize
  readonly stopGraceMs: number
  /** When this daemon started; absent where nothing has to be started in time. */
  readonly startedAt?: Date
  /** How long a program may take to exit by itself after its conversation has ended. */
  readonly finishGraceMs: number
  /** How long an agent that is out of time gets to finish once it has been asked to. */
  readonly nudgeGraceMs: number
  /** How long a program may take to report that it is ready. */
  readonly readyMs: number
  readonly approvalMinutes: number
  /** How long to park a session that is out of quota if its program doesn't report when the quota resets. */
  readonly limitMinutes: number
  /** The share of its context window at which a session is asked to hand off. */
  readonly handoffShare: number
  /** Overrides every project's choice, for machines where only one containment works. */
  readonly sandboxLevel?: SandboxPolicy['level']
  readonly minimumFreeMb: number
  /** Memory still available to programs on this machine. */
  readonly freeMemoryMb: () => number
  /** The bytes that a file or directory occupies on the disk. */
  readonly bytesUsedBy: (path: string) => Promise<number>
  /** The person who runs the daemon: the default owner of jobs. */
  readonly userName: string
  /** How long each setup command of a new tree may take. */
  readonly setupMs: number
  /** How many unused trees to keep ready for each project with a running job. */
  readonly warmTrees: number
}
