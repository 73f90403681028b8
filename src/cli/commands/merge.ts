import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError, Result, WireMerge } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { mergeLines, refusalOf } from '../render/job/merge-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { stopSignals } from '../stop-signals.ts'
import { withFound } from '../with-daemon.ts'

const LOOK_MS = 300

/** Brings a job's work into its base branch, and stays while the checks run. */
export async function mergeCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['job'], async (client, { id }, link) => {
    const begun = await client.mergeJob(id)
    if (!begun.ok) return failure(mergeProblem(begun.failure))
    for (const warning of begun.value.warnings) needs.output.note(`warning: ${safeLine(warning)}`)
    using stop = stopSignals(needs.surroundings)
    const ended = await untilChecked({ ...needs, link }, begun.value, stop.signal)
    if (!ended.ok) return ended
    if (ended.value === 'left') return leave(needs, id)
    // Whoever stayed while it was checked asked for it: the branch is where it is because of that.
    const isOwn = begun.value.status === 'checking' && ended.value.status === 'merged'
    return conclude(needs, isOwn ? { ...ended.value, hasMoved: true } : ended.value)
  })
}

function leave({ output }: CommandNeeds, jobId: string): Outcome {
  output.note(`the checks go on without you; look again with: ${output.hint(`muster merge ${jobId}`)}`)
  return success(EXIT.interrupted)
}

/** The branch was moved: done. It waits for the person's own command: a conflict with their checkout. */
function conclude({ output }: CommandNeeds, merge: WireMerge): Outcome {
  if (merge.status === 'refused') return failure(refusalOf(merge))
  output.value({ success: true, data: merge })
  for (const line of mergeLines(merge, output.paint)) output.print(line)
  return success(merge.status === 'waiting' ? EXIT.conflict : EXIT.done)
}

type Needs = CommandNeeds & { readonly link: DaemonLink }
type Followed = Result<WireMerge | 'left', Problem>

/** Looks at the merge until it is decided, over the lives of several daemons. */
async function untilChecked(needs: Needs, begun: WireMerge, stop: AbortSignal): Promise<Followed> {
  const signal = AbortSignal.any([stop, needs.output.closed])
  let merge = begun
  let told: string | undefined
  while (merge.status === 'checking') {
    if (merge.check !== undefined && merge.check !== told) needs.output.note(checkWords(merge))
    told = merge.check
    if (await isLeft(signal)) return success('left')
    const looked = await look(needs, merge, signal)
    if (!looked.ok || looked.value === 'left') return looked
    merge = looked.value
  }
  return success(merge)
}

/** A daemon that went away is looked for again; until then the merge is as it was. */
async function look({ link, output }: Needs, merge: WireMerge, signal: AbortSignal): Promise<Followed> {
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
  return `${safeLine(baseBranch)} has moved: checking the merge ${commit.slice(0, 10)} first: ${safeLine(check)}`
}

async function isLeft(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(LOOK_MS, undefined, { signal })
  } catch (error) {
    // The wait ends early in one way only: by its signal.
    if (!signal.aborted) throw error
  }
  return signal.aborted
}

/** Exit code 3 is kept for the merge that waits for one command of the person. */
function mergeProblem(error: ApiError): Problem {
  const problem = apiProblem(error)
  return problem.exitCode === EXIT.conflict ? { ...problem, exitCode: EXIT.failed } : problem
}
