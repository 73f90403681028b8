import type { ImportFailure } from '../repository/repository-failure.ts'
import type { DocumentFailure } from './document-problem.ts'

/** A configuration file that cannot be understood. */
export type ConfigurationFailure = {
  readonly type: 'configuration-invalid'
  readonly file: string
  readonly line?: number
  readonly field: string
  readonly problem: string
}

/** Why no agent can be chosen. */
export type AgentChoiceFailure =
  | { readonly type: 'agent-unknown'; readonly agent: string; readonly known: readonly string[] }
  | { readonly type: 'agent-absent'; readonly role: string }
  | {
      readonly type: 'agent-unfit'
      readonly agent: string
      readonly role: string
      readonly roles: readonly string[]
    }
  | { readonly type: 'provider-unknown'; readonly provider: string; readonly known: readonly string[] }

/** Why a job cannot be started as asked. Its words and status are in contract/failure. */
export type StartJobFailure =
  | DocumentFailure
  | AgentChoiceFailure
  | ConfigurationFailure
  | { readonly type: 'branch-invalid'; readonly branch: string; readonly use: 'base' | 'working' }
  | { readonly type: 'branch-taken'; readonly branch: string }
  | {
      readonly type: 'disk-nearly-full'
      readonly path: string
      readonly freeMb: number
      readonly neededMb: number
    }
  | ImportFailure
