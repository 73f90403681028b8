import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError, MusterClient, Result, WireMerge } from '../../client/index.ts'
import { NO_CHECKS } from '../../domain/landing/no-checks.ts'
import { deniedWords } from '../../domain/report/denied-words.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { blockedProblem, checkoutProblem, mergeLines, refusalOf } from '../render/job/merge-lines.ts'
import { notReadyWarnings } from '../render/job/readiness-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { fastForward, readCheckout } from '../repository/checkout.ts'
import { stopSignals } from '../stop-signals.ts'
import { withChanged } from '../with-daemon.ts'

const POLL_MS = 300

export type MergeFlags = {
  readonly checkout?: true
  readonly withTaskList?: true
  readonly withUncommitted?: true
  readonly squash?: true
}

/** Merges a job's work into its base branch, and waits while the checks run. */
export async function mergeCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: MergeFlags,
): Promise<Outcome> {
  return withChanged(needs, text, ['job'], async (client, { id }, link) => {
    const begun = await begin(needs, client, id, flags)
    if (!begun.ok) return begun
    using stop = stopSignals(needs.surroundings)
    const ended = await untilChecked({ ...needs, link }, begun.value, stop.signal)
    if (!ended.ok) return ended
    if (ended.value === 'left') return leave(needs, id)
    // The daemon doesn't know that this command asked for the merge, so it reports no movement.
    const isOwn = begun.value.status === 'checking' && ended.value.status === 'merged'
    return conclude(needs, isOwn ? { ...ended.value, hasMoved: true } : ended.value, flags)
  })
}

/** Asks for the merge, and prints what the person should know about the work, if there is any. */
async function begin(
  { output }: CommandNeeds,
  client: MusterClient,
  id: string,
  { withTaskList, withUncommitted, squash }: MergeFlags,
): Promise<Result<WireMerge, Problem>> {
  // Read first, because the merge changes what a report says.
  const warnings = await readWarnings(client, id)
  const begun = await client.mergeJob(id, { withTaskList, withUncommitted, squash })
  if (!begun.ok && begun.failure.type === 'nothing-landed') return failure(mergeProblem(begun.failure))
  for (const warning of warnings) output.note(warning)
  if (!begun.ok) return failure(mergeProblem(begun.failure))
  for (const warning of begun.value.warnings) output.note(`warning: ${safeLine(warning)}`)
  return begun
}

/** Why the work is not ready, and what the person denied. The merge itself says whether anything was checked. */
async function readWarnings(client: MusterClient, job: string): Promise<readonly string[]> {
  const reports = await client.listReports({ job, limit: 1 })
  const report = reports.ok ? reports.value.items[0] : undefined
  if (report === undefined || report.merged !== undefined) return []
  const denied = deniedWords(report, 'you')
  const reasons = report.finalizeReady ? [] : report.notReady.filter((reason) => reason !== NO_CHECKS)
  return [
    ...(denied === undefined ? [] : [`the work does not include ${denied}`]),
    ...notReadyWarnings(reasons).map((warning) => `warning: ${warning}`),
  ]
}

function leave({ output }: CommandNeeds, jobId: string): Outcome {
  output.note(
    `the checks continue in the background; follow them again with: ${output.hint(`muster merge ${jobId}`)}`,
  )
  return success(EXIT.interrupted)
}

async function conclude(needs: CommandNeeds, merge: WireMerge, flags: MergeFlags): Promise<Outcome> {
  if (merge.status === 'refused') return failure(refusalOf(merge))
  if (merge.status === 'waiting') return updateCheckout(needs, merge, flags)
  return printMerge(needs, merge)
}

function printMerge({ output }: CommandNeeds, merge: WireMerge): Outcome {
  output.value({ success: true, data: merge })
  for (const line of mergeLines(merge, output.paint)) output.print(line)
  return success(EXIT.done)
}

/** The base branch is checked out. The daemon never changes a checkout, but the person may say that this command may. */
async function updateCheckout(needs: CommandNeeds, merge: WireMerge, flags: MergeFlags): Promise<Outcome> {
  const { environment } = needs.surroundings
  const directory = merge.at ?? merge.repositoryPath
  const checkout = await readCheckout(environment, directory, merge.baseBranch)
  if (checkout.type !== 'clean' || merge.commit === undefined)
    return failure(checkoutProblem(merge, checkout))
  const isAllowed =
    flags.checkout === true || (needs.output.isTerminal && (await confirmUpdate(needs, merge)))
  if (!isAllowed) return failure(checkoutProblem(merge, checkout))
  const updated = await fastForward(environment, directory, merge.commit)
  if (!updated.ok) return failure(blockedProblem(merge, updated.failure))
  return printMerge(needs, { ...merge, status: 'merged', hasMoved: true })
}

async function confirmUpdate({ surroundings }: CommandNeeds, merge: WireMerge): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message: `${safeLine(merge.baseBranch)} is checked out in ${safeLine(merge.at ?? merge.repositoryPath)}, without uncommitted changes to tracked files. Update the checkout?`,
    input: surroundings.stdin,
    output: surroundings.stdout,
  })
  return answer === true
}

type Needs = CommandNeeds & { readonly link: DaemonLink }
type Followed = Result<WireMerge | 'left', Problem>

/** Polls the merge until it is decided, across restarts of the daemon. */
async function untilChecked(needs: Needs, begun: WireMerge, stop: AbortSignal): Promise<Followed> {
  const signal = AbortSignal.any([stop, needs.output.closed])
  let merge = begun
  let printed: string | undefined
  while (merge.status === 'checking') {
    if (merge.check !== undefined && merge.check !== printed) needs.output.note(checkWords(merge))
    printed = merge.check
    if (await isLeft(signal)) return success('left')
    const read = await readMerge(needs, merge, signal)
    if (!read.ok || read.value === 'left') return read
    merge = read.value
  }
  return success(merge)
}

/** If the daemon is gone, looks for it again and returns the merge unchanged until it is found. */
async function readMerge({ link, output }: Needs, merge: WireMerge, signal: AbortSignal): Promise<Followed> {
  const looked = await link.client.getMerge(merge.jobId, { signal })
  if (looked.ok) return success(looked.value)
  if (signal.aborted) return success('left')
  if (looked.failure.status !== 0) return failure(apiProblem(looked.failure))
  const problem = link.problem()
  if (problem !== undefined) return failure(problem)
  link.lost(output.note)
  return success(merge)
}

function checkWords({ check = '', baseBranch, commit = '' }: WireMerge): string {
  return `${safeLine(baseBranch)} has moved; checking the merge ${commit.slice(0, 10)} first: ${safeLine(check)}`
}

async function isLeft(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(POLL_MS, undefined, { signal })
  } catch (error) {
    // Only the signal ends the wait early.
    if (!signal.aborted) throw error
  }
  return signal.aborted
}

/** Exit code 3 is reserved for a merge that waits because the base branch is checked out. */
function mergeProblem(error: ApiError): Problem {
  const problem = apiProblem(error)
  return problem.exitCode === EXIT.conflict ? { ...problem, exitCode: EXIT.failed } : problem
}
