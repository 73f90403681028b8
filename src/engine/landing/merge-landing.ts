import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Merged } from '../../ports/hub.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { newCheck } from './new-check.ts'
import { storeLanding } from './store-landing.ts'

/** Merges a landing onto the branch as it is now, without a checkout, and starts its first check. */
export async function mergeLanding(needs: LandingNeeds, job: Job, landing: Landing): Promise<boolean> {
  const onto = await needs.hub.branchTip(job.projectId, job.workingBranch)
  if (onto === undefined) throw new Error(`branch ${job.workingBranch} is not in the hub`)
  const task = await needs.store.read.tasks.find(landing.taskId)
  const message = `${firstLine(task?.description ?? landing.taskId)}\n\nMuster-Task: ${landing.taskId}\nMuster-Attempt: ${landing.attemptId}\n`
  const merged = await needs.hub.merge(job.projectId, onto, landing.tip, message)
  if (merged.ok) {
    needs.crash.reach('landing.after-merge')
    return storeMerge(needs, job, landing, onto, merged.value)
  }
  if (merged.failure.type !== 'conflict') throw new Error(`merge failed: ${JSON.stringify(merged.failure)}`)
  const { paths } = merged.failure
  return storeLanding(needs, landing, {
    event: { type: 'merge-conflict', paths },
    notice: { type: 'landing_conflicted', data: { paths } },
    task: {
      event: { type: 'landing-conflict', paths },
      notice: {
        type: 'task_failed',
        data: {
          status: 'blocked',
          error: `conflicts with what landed before it in ${paths.join(', ')}`,
          paths,
        },
      },
    },
  })
}

function storeMerge(
  needs: LandingNeeds,
  job: Job,
  landing: Landing,
  onto: string,
  merged: Merged,
): Promise<boolean> {
  const { commit, tree } = merged
  const command = job.plan.checks[0]
  if (command === undefined) {
    return storeLanding(needs, landing, {
      event: { type: 'merge-end', onto, commit, tree },
      notice: { type: 'landing_checked', data: { commit, passed: 0, warning: 'no checks are configured' } },
    })
  }
  const check = newCheck(needs, landing, 0, command)
  return storeLanding(needs, landing, {
    event: { type: 'merge-end', onto, commit, tree, sessionId: check.session.id },
    // Passes belong to the tree they were made on; what was lost is remembered, so that it is not lost for ever.
    checks: landing.checks.filter((result) => !result.passed),
    notice: { type: 'landing_checking', data: { commit, check: command, checks: job.plan.checks.length } },
    also: check.insert,
  })
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 72 ? `${line.slice(0, 69)}...` : line
}
