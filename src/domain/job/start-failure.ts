import type { Unready } from '../agent/unready.ts'
import type { ImportFailure, SnapshotFailure } from '../repository/repository-failure.ts'
import type { CastFailure } from '../run/choose-cast.ts'
import type { GuardedPart } from '../trust/guarded-part.ts'
import type { DocumentFailure } from './job-document.ts'

/** The `field` of a problem with a whole configuration file. */
export const WHOLE_FILE = '(file)'

/** A configuration file that can't be read. */
export type ConfigurationFailure = {
  readonly type: 'configuration-invalid'
  readonly file: string
  readonly line?: number
  readonly field: string
  readonly problem: string
  /** The file is a symbolic link, which Muster doesn't follow. */
  readonly isLink?: true
}

/** A repository's configuration file has guarded parts that the person hasn't trusted. */
export type TrustFailure = {
  readonly type: 'configuration-untrusted'
  readonly repositoryPath: string
  readonly digest: string
  readonly parts: readonly GuardedPart[]
  /** Whether the person trusted other parts of this repository's file before. */
  readonly hasChanged: boolean
}

/** An agent's program isn't installed. `install` is how to install it, in one line. */
export type ProgramMissing = {
  readonly type: 'program-missing'
  readonly agent: string
  readonly program: string
  readonly install: string
}

/** An agent's program can't work now: it isn't logged in, for example. */
export type AgentUnready = {
  readonly type: 'agent-unready'
  readonly agent: string
  readonly provider: string
} & Unready

/** Why no agent can be chosen. */
export type AgentChoiceFailure =
  | { readonly type: 'agent-unknown'; readonly agent: string; readonly known: readonly string[] }
  /** If no agent is configured at all, `installs` has the commands that install one. */
  | { readonly type: 'agent-absent'; readonly role: string; readonly installs?: readonly string[] }
  | {
      readonly type: 'agent-unfit'
      readonly agent: string
      readonly role: string
      readonly roles: readonly string[]
    }
  /** Its model isn't among those that the role is bound to. `model` is absent if the agent's program chooses it. */
  | {
      readonly type: 'model-unbound'
      readonly agent: string
      readonly role: string
      readonly model?: string
      readonly models: readonly string[]
    }
  | { readonly type: 'provider-unknown'; readonly provider: string; readonly known: readonly string[] }
  | ProgramMissing
  | AgentUnready

/** Why a job can't follow a playbook. */
export type PlaybookStartFailure =
  | { readonly type: 'playbook-not-found'; readonly name: string; readonly meant?: string }
  | {
      readonly type: 'playbook-invalid'
      /** Empty if it was sent with the request, and `directory` is absent. */
      readonly name: string
      readonly directory?: string
      readonly faults: readonly PlaybookFaultPlace[]
    }
  | { readonly type: 'playbook-input-invalid'; readonly name: string; readonly problem: string }
  /** The request has mode `review`, but the stages of a playbook decide who reviews. */
  | { readonly type: 'review-by-playbook' }
  | (CastFailure & { readonly name: string })
  /** It could land work that no reviewer approved, but the job's mode wants a review of everything. */
  | { readonly type: 'playbook-unreviewed'; readonly name: string }

type PlaybookFaultPlace = { readonly file: string; readonly line?: number; readonly problem: string }

/** Why a job can't be started as requested. Its message and status are in contract/failure. */
export type StartJobFailure =
  | DocumentFailure
  | AgentChoiceFailure
  | ConfigurationFailure
  | TrustFailure
  | PlaybookStartFailure
  | { readonly type: 'branch-invalid'; readonly branch: string; readonly use: 'base' | 'working' }
  | { readonly type: 'branch-taken'; readonly branch: string }
  | {
      readonly type: 'disk-nearly-full'
      readonly path: string
      readonly freeMb: number
      readonly neededMb: number
    }
  /** The uncommitted changes are on another branch than the requested base. */
  | { readonly type: 'uncommitted-elsewhere'; readonly base: string; readonly branch?: string }
  | SnapshotFailure
  | ImportFailure
