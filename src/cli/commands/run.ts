import { randomUUID } from 'node:crypto'
import type { WireJob, WireStartJobRequest } from '../../client/index.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { EXIT } from '../exit-code.ts'
import { comeBackLines } from '../follow/come-back.ts'
import { followToEnd } from '../follow/follow-to-end.ts'
import type { Outcome, Problem } from '../problem.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { readGoal } from '../repository/read-goal.ts'

export type RunFlags = {
  readonly detach?: true
  readonly maxCycles?: number
  readonly timeLimit?: number
  readonly parallel?: number
  readonly agent?: string
  readonly planner?: string
  readonly check?: readonly string[]
  readonly base?: string
  readonly branch?: string
  readonly mode?: LandingMode
  readonly budget?: number
}

/** Starts a job on the repository one is in, and follows it. */
export async function runCommand(needs: CommandNeeds, goal: string, flags: RunFlags): Promise<Outcome> {
  const request = await startRequest(needs, goal, flags)
  if (!request.ok) return request
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const link = connected.value
  const started = await link.client.startJob(request.value, { idempotencyKey: randomUUID() })
  if (!started.ok) return failure(apiProblem(started.failure))
  announce(needs, started.value, flags)
  return flags.detach === true ? success(EXIT.done) : followToEnd(needs, link, started.value.id)
}

async function startRequest(
  needs: CommandNeeds,
  goal: string,
  flags: RunFlags,
): Promise<Result<WireStartJobRequest, Problem>> {
  const repositoryPath = await findRepository(needs.surroundings.cwd)
  if (repositoryPath === undefined) return failure(noRepository(needs.surroundings.cwd))
  const requestDocument = await readGoal(needs.surroundings, goal)
  if (!requestDocument.ok) return requestDocument
  return success({
    repositoryPath,
    requestDocument: requestDocument.value,
    maxCycles: flags.maxCycles,
    timeLimitMinutes: flags.timeLimit,
    maxParallelTasks: flags.parallel,
    agent: flags.agent,
    planner: flags.planner,
    checks: flags.check === undefined ? undefined : [...flags.check],
    baseBranch: flags.base,
    workingBranch: flags.branch,
    mode: flags.mode,
    budgetUsd: flags.budget,
    user: needs.surroundings.userName,
  })
}

function announce(needs: CommandNeeds, job: WireJob, flags: RunFlags): void {
  const { output } = needs
  if (flags.detach === true) output.value({ success: true, data: job })
  const isResult = flags.detach === true || !output.quiet
  if (isResult) output.print(`${output.paint('strong', job.id)} on branch ${job.workingBranch}`)
  if (job.checks.length === 0) output.note('no checks are configured: whatever merges cleanly will land')
  if (flags.detach === true) for (const line of comeBackLines(job.id, output.hint)) output.note(line)
}
