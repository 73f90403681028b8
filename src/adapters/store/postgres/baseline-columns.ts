import type { Generated } from 'kysely'
import type { BaselineResult } from '../../../domain/baseline/baseline.ts'
import type { BaselineState } from '../../../domain/baseline/baseline-state.ts'
import type { BaselineId, ProjectId } from '../../../domain/id.ts'
import type { SandboxChoice } from '../../../domain/session/sandbox-policy.ts'

export type BaselineColumns = {
  id: BaselineId
  projectId: ProjectId
  repositoryPath: string
  commit: string
  tree: string
  digest: string
  checks: readonly string[]
  setup: readonly string[]
  copy: readonly string[]
  sandbox: SandboxChoice
  state: BaselineState
  status: Generated<string>
  results: readonly BaselineResult[]
  version: number
  createdAt: Date
  endedAt: Date | null
}
