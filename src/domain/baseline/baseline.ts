import type { FailureKind } from '../check/check-problem.ts'
import type { BaselineId, ProjectId } from '../id.ts'
import type { SandboxChoice } from '../session/sandbox-policy.ts'
import type { BaselineState } from './baseline-state.ts'

/** The result of one command on a base. `failure` is absent if it passed. */
export type BaselineResult = {
  readonly command: string
  readonly failure?: FailureKind
  /** How it ended, and the end of its output if it failed. */
  readonly detail: string
  /** It failed and passed when it ran again. */
  readonly isFlaky?: boolean
}

/**
 * The setup and all checks of a project, run once on the tree that jobs start from. Jobs with the same tree and the
 * same commands share it.
 */
export type Baseline = {
  readonly id: BaselineId
  readonly projectId: ProjectId
  readonly repositoryPath: string
  readonly commit: string
  readonly tree: string
  /** Identifies the tree and everything of the plan that decides the result. */
  readonly digest: string
  readonly checks: readonly string[]
  readonly setup: readonly string[]
  readonly copy: readonly string[]
  readonly sandbox: SandboxChoice
  readonly state: BaselineState
  readonly results: readonly BaselineResult[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** The commands to run after setup. Setup alone is tried as well, before a command that always succeeds. */
export function commandsOf({ checks }: Pick<Baseline, 'checks'>): readonly string[] {
  return checks.length === 0 ? ['true'] : checks
}

/** The command that a result is about, for people. Without checks, setup is all that runs. */
export function namedCommand(
  { checks, setup }: Pick<Baseline, 'checks' | 'setup'>,
  checkIndex: number,
): string {
  return checks.length === 0 ? setup.join('; ') : (checks[checkIndex] ?? '')
}

export function failuresOf({ results }: Pick<Baseline, 'results'>): readonly BaselineResult[] {
  return results.filter(({ failure }) => failure !== undefined)
}

/** Whether no program could even start on this base. */
export function isSetupFailing(baseline: Pick<Baseline, 'results'>): boolean {
  return baseline.results.some(({ failure }) => failure === 'setup')
}
