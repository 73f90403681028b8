import type { WireBase } from '../../contract/base.ts'
import type { BaseView } from '../../engine/queries/base.ts'

export function baseToWire({ job, status, baseline, choices, running }: BaseView): WireBase {
  const { id: jobId, baseBranch: branch, baseCommit: commit } = job
  const results = baseline?.results ?? []
  return {
    jobId,
    branch,
    commit,
    status,
    results: results.map(({ failure, ...result }) => ({
      ...result,
      passed: failure === undefined,
      isSetup: failure === 'setup' || baseline?.checks.length === 0,
    })),
    ...(baseline?.state.type === 'unknown' ? { reason: baseline.state.reason } : {}),
    ...(baseline?.endedAt === undefined ? {} : { checkedAt: baseline.endedAt.toISOString() }),
    choices: [...choices],
    ...(running === undefined ? {} : { running }),
  }
}
