import type { WireLanding, WireTask } from '../../client/index.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { JobOutcome } from '../follow/job-outcome.ts'

/** The expected end of each task. */
const EXPECTED = {
  't1-1': 'completed',
  't1-2': 'blocked',
  't1-3': 'failed',
  't2-1': 'completed',
  't2-2': 'completed',
} as const satisfies Readonly<Record<string, WireTask['status']>>

const CONFLICTED_PATH = 'src/mean.mjs'

/** What went differently than the demo promises; empty if everything went as expected. */
export function differences(outcome: JobOutcome, landings: readonly WireLanding[]): readonly string[] {
  const { job, tasks } = outcome
  const found: string[] = []
  if (job.status !== 'completed' || job.reason !== 'goal-reached') {
    found.push(
      `the job should have reached its goal; it is ${job.status} (${job.reason ?? job.lastError ?? 'no reason'})`,
    )
  }
  const states = new Map(tasks.map((task) => [taskName(task), task.status]))
  for (const [label, status] of Object.entries(EXPECTED)) {
    const actual = states.get(label) ?? 'absent'
    if (actual !== status) found.push(`task ${label} should be ${status}; it is ${actual}`)
  }
  for (const label of states.keys()) {
    if (!Object.hasOwn(EXPECTED, label)) found.push(`there should be no task ${label}`)
  }
  const conflicted = tasks.find((task) => task.status === 'blocked')?.conflictPaths ?? []
  if (!conflicted.includes(CONFLICTED_PATH)) found.push(`the conflict should be in ${CONFLICTED_PATH}`)
  return [...found, ...landings.flatMap(landingDifferences)]
}

/** Landed work must have passed its checks on exactly the tree that landed. */
function landingDifferences(landing: WireLanding): readonly string[] {
  if (landing.status !== 'landed') return []
  const isChecked =
    landing.checks.length > 0 && landing.checks.every((check) => check.passed && check.tree === landing.tree)
  return isChecked ? [] : [`${landing.id} landed a tree that its checks did not pass on`]
}
