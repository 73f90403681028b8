import { type Baseline, type BaselineResult, failuresOf } from '../baseline/baseline.ts'
import type { BaseDecision } from '../job/base-state.ts'
import type { Job } from '../job/job.ts'
import { jobPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

type OfBase = { readonly branch: string; readonly commit: string }

export type BaseEvents = {
  readonly base_checking: OfBase & {
    readonly checks: readonly string[]
    readonly setup: readonly string[]
    /** Another job already had it checked. */
    readonly isShared?: boolean | undefined
  }
  readonly base_checked: OfBase & {
    readonly outcome: 'passed' | 'failed' | 'unknown'
    /** It was checked for an earlier job. */
    readonly isKnown?: boolean | undefined
    /** The commands that failed, and the end of their output. */
    readonly failures?: readonly FailedCommand[] | undefined
    /** Why nothing is known. */
    readonly reason?: string | undefined
    /** A person must decide. */
    readonly isAsking?: boolean | undefined
  }
  readonly base_decided: OfBase & {
    readonly decision: BaseDecision
    /** A setting of the job decided it. */
    readonly isAutomatic?: boolean | undefined
    readonly commands: readonly string[]
  }
  readonly base_fix_ended: OfBase & {
    readonly landed: boolean
    /** It was setup that failed, so the job can't continue without a fix. */
    readonly isSetup?: boolean
  }
}

type FailedCommand = {
  readonly command: string
  readonly isSetup: boolean
  /** The check itself passed, but tracked files changed while it or setup ran. */
  readonly isAltered?: true
  readonly detail: string
}

const event = builderOf<BaseEvents>()

function ofBase({ baseBranch: branch, baseCommit: commit }: Job): OfBase {
  return { branch, commit }
}

export function baseChecking(job: Job, { checks, setup }: Baseline, isShared: boolean) {
  const shared = isShared ? true : undefined
  return event('base_checking', jobPlace(job), { ...ofBase(job), checks, setup, isShared: shared })
}

export function basePassed(job: Job, isKnown: boolean) {
  const data = { ...ofBase(job), outcome: 'passed', isKnown: isKnown ? true : undefined } as const
  return event('base_checked', jobPlace(job), data)
}

export function baseUnknown(job: Job, reason: string) {
  return event('base_checked', jobPlace(job), { ...ofBase(job), outcome: 'unknown', reason })
}

export function baseFailed(job: Job, baseline: Baseline, isAsking: boolean) {
  return event('base_checked', jobPlace(job), {
    ...ofBase(job),
    outcome: 'failed',
    failures: failuresOf(baseline).map(failedCommand),
    isAsking: isAsking ? true : undefined,
  })
}

function failedCommand({ command, failure, detail }: BaselineResult): FailedCommand {
  const altered = failure === 'altered' ? ({ isAltered: true } as const) : {}
  return { command, isSetup: failure === 'setup', ...altered, detail }
}

export function baseDecided(job: Job, baseline: Baseline, decision: BaseDecision, isAutomatic: boolean) {
  return event('base_decided', jobPlace(job), {
    ...ofBase(job),
    decision,
    isAutomatic: isAutomatic ? true : undefined,
    commands: failuresOf(baseline).map(({ command }) => command),
  })
}

export function baseFixEnded(job: Job, landed: boolean, isSetup: boolean) {
  return event('base_fix_ended', jobPlace(job), { ...ofBase(job), landed, isSetup })
}
