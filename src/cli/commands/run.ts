import { randomUUID } from 'node:crypto'
import type { ApiError, WireJob, WireStartJobRequest } from '../../client/index.ts'
import type { FailingBaseChoice } from '../../domain/job/base-state.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import { noChecksAhead } from '../../domain/landing/no-checks.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { withheldProviders } from '../daemon/withheld-providers.ts'
import { EXIT } from '../exit-code.ts'
import type { FollowFlags } from '../follow/follow-flags.ts'
import { detachedLines, followToEnd } from '../follow/follow-to-end.ts'
import { guardStart } from '../follow/guard-start.ts'
import type { AgentsFlag } from '../parse/flag-parsers.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readInstructions } from '../read-text.ts'
import { agentLine } from '../render/job/agent-line.ts'
import { visibleLine } from '../render/text/safe-text.ts'
import { uncommittedFiles } from '../repository/checkout.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { withTrust } from '../trust/with-trust.ts'
import { mentionOwnReviewer } from './mention-own-reviewer.ts'

/** A longer goal is not repeated in a suggestion. */
const SHOWN_GOAL = 80

export type RunFlags = FollowFlags & {
  readonly detach?: true
  readonly maxCycles?: number
  readonly timeLimit?: number
  readonly parallel?: number
  readonly agent?: string
  readonly planner?: string
  readonly check?: readonly string[]
  readonly base?: string
  readonly branch?: string
  readonly includeUncommitted?: true
  readonly mode?: LandingMode
  readonly onFailingBase?: FailingBaseChoice
  readonly budget?: number
  /** Given by `muster start`: what works on the goal instead of a planner and workers. */
  readonly goalPlaybook?: PlaybookFlag & AgentsFlag
  /** Given by `muster run --playbook`. */
  readonly taskPlaybook?: PlaybookFlag
}

type PlaybookFlag = { readonly name: string; readonly inputs: Readonly<Record<string, string>> }

export type TaskPlaybookFlags = {
  readonly playbook?: string
  readonly input?: Readonly<Record<string, string>>
}

/** Starts a job with a planner, whose tasks may follow a playbook. */
export async function runPlannedCommand(
  needs: CommandNeeds,
  goal: string,
  { playbook, input, ...flags }: RunFlags & TaskPlaybookFlags,
): Promise<Outcome> {
  if (playbook === undefined && input !== undefined) {
    return failure({
      type: 'input-without-playbook',
      exitCode: EXIT.usage,
      message: '--input sets an input of a playbook, so it needs --playbook',
    })
  }
  const taskPlaybook = playbook === undefined ? {} : { taskPlaybook: { name: playbook, inputs: input ?? {} } }
  return await runCommand(needs, goal, { ...flags, ...taskPlaybook })
}

/** Starts a job in the current repository and follows it. */
export async function runCommand(needs: CommandNeeds, goal: string, flags: RunFlags): Promise<Outcome> {
  const request = await startRequest(needs, goal, flags)
  if (!request.ok) return request
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const link = connected.value
  const idempotencyKey = randomUUID()
  const complete = {
    ...request.value,
    ...(await withheldProviders(needs, link.client, flags.agent ?? flags.goalPlaybook?.agent)),
  }
  using guard = guardStart(needs, 'job')
  const start = async () =>
    withMeantPlaybook(await link.client.startJob(complete, { idempotencyKey }), goal, flags)
  const started = await guard.answer(withTrust(needs, link.client, complete.repositoryPath, start, guard))
  if (!started.ok) return started
  announce(needs, started.value, flags)
  await mentionUncommitted(needs, started.value, request.value)
  await mentionOwnReviewer(needs, link.client, started.value)
  return flags.detach === true
    ? success(EXIT.done)
    : await followToEnd(needs, link, started.value.id, flags, guard)
}

/** Suggests the same command with the playbook that was probably meant. */
function withMeantPlaybook<Data>(
  started: Result<Data, ApiError>,
  goal: string,
  { goalPlaybook }: RunFlags,
): Result<Data, ApiError> {
  const meant = started.ok ? undefined : started.failure.details?.['meant']
  if (started.ok || goalPlaybook === undefined || typeof meant !== 'string') return started
  const shown = goal.length > SHOWN_GOAL || goal.includes('\n') ? 'GOAL' : goal
  return failure({ ...started.failure, next: `muster start ${meant} ${shellWord(shown)}` })
}

async function startRequest(
  needs: CommandNeeds,
  goal: string,
  flags: RunFlags,
): Promise<Result<WireStartJobRequest & { readonly repositoryPath: string }, Problem>> {
  const repositoryPath = await findRepository(needs.surroundings.cwd)
  if (repositoryPath === undefined) return failure(noRepository(needs.surroundings.cwd))
  const requestDocument = await readInstructions(needs.surroundings, goal, {
    noun: 'goal',
    command: flags.goalPlaybook === undefined ? 'muster run' : `muster start ${flags.goalPlaybook.name}`,
  })
  if (!requestDocument.ok) return requestDocument
  return success({
    repositoryPath,
    requestDocument: requestDocument.value,
    playbook: flags.goalPlaybook,
    taskPlaybook: flags.taskPlaybook,
    maxCycles: flags.maxCycles,
    timeLimitMinutes: flags.timeLimit,
    maxParallelTasks: flags.parallel,
    agent: flags.agent,
    planner: flags.planner,
    checks: flags.check === undefined ? undefined : [...flags.check],
    baseBranch: flags.base,
    workingBranch: flags.branch,
    includeUncommitted: flags.includeUncommitted,
    mode: flags.mode,
    failingBase: flags.onFailingBase,
    budgetUsd: flags.budget,
    user: needs.surroundings.userName,
  })
}

/** Muster reads this file from the checkout, so it need not be committed. */
const OWN_FILES = ['muster.yaml', 'muster.yml']

/** Agents start from a commit. Asked only once the job is accepted, because by then the repository is trusted. */
async function mentionUncommitted(
  { surroundings, output }: CommandNeeds,
  { snapshot }: WireJob,
  { includeUncommitted, repositoryPath }: WireStartJobRequest & { readonly repositoryPath: string },
): Promise<void> {
  if (snapshot !== undefined) {
    const files = named(snapshot.files, snapshot.fileCount)
    return output.note(`the job starts from a snapshot of your uncommitted changes: ${files}`)
  }
  if (includeUncommitted === true) return output.note('there are no uncommitted changes to include')
  const changed = await uncommittedFiles(surroundings.environment, repositoryPath)
  const own = changed.filter((file) => !OWN_FILES.includes(file))
  if (own.length === 0) return
  output.note(
    `your uncommitted changes are not included; add --include-uncommitted: ${named(own, own.length)}`,
  )
}

function named([first = '', ...others]: readonly string[], count: number): string {
  return others.length === 0 ? visibleLine(first) : `${visibleLine(first)} and ${count - 1} more`
}

function announce(needs: CommandNeeds, job: WireJob, flags: RunFlags): void {
  const { output } = needs
  if (flags.detach === true) output.value({ success: true, data: job })
  const isResult = flags.detach === true || !output.quiet
  if (isResult) output.print(`${output.paint('strong', job.id)} on branch ${job.workingBranch}`)
  if (!output.json) output.note(agentLine(job, output.hint))
  if (job.checks.length === 0) output.note(noChecksAhead(job.mode))
  if (flags.detach === true) for (const line of detachedLines(job.id, output.hint)) output.note(line)
}
