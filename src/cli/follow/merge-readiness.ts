import type { MusterClient, WireReport } from '../../client/index.ts'
import { DETACHED } from '../../domain/job/job.ts'
import { deniedWords } from '../../domain/report/denied-words.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { isFinished } from '../render/job/job-words.ts'
import { momentWords } from '../render/text/elapsed.ts'
import { findMerge } from '../repository/find-merge.ts'
import type { JobOutcome } from './job-outcome.ts'

/** Whether a job's work is in its base branch, or else what its report says about merging it. */
export type MergeReadiness =
  | { readonly type: 'merged'; readonly commit?: string | undefined; readonly when?: string }
  /** `denied`: what the work does not include, such as "t1-2, which you denied". */
  | { readonly type: 'ready'; readonly denied?: string | undefined }
  | {
      readonly type: 'not-ready'
      readonly denied?: string | undefined
      readonly reasons: readonly string[]
      /** The checks that failed on the base and still fail on the work. */
      readonly failing: readonly string[]
    }

type Needs = Pick<CommandNeeds, 'surroundings'>

/** Undefined if the job has not ended or has landed nothing, or if the daemon doesn't answer. */
export async function readMergeReadiness(
  needs: Needs,
  client: Pick<MusterClient, 'getMerge' | 'listReports'>,
  { job, tasks }: JobOutcome,
): Promise<MergeReadiness | undefined> {
  const commit = tasks.findLast((task) => task.commit !== undefined)?.commit
  if (!isFinished(job) || commit === undefined) return undefined
  const merge = job.baseBranch === DETACHED ? undefined : await client.getMerge(job.id)
  if (merge?.ok === true && merge.value.status === 'merged') {
    const { environment, now } = needs.surroundings
    const found = await findMerge(environment, job.repositoryPath, job.baseBranch, commit)
    if (found === undefined) return { type: 'merged' }
    return { type: 'merged', commit: found.commit, when: momentWords(found.at, now()) }
  }
  const reports = await client.listReports({ job: job.id, limit: 1 })
  const report = reports.ok ? reports.value.items[0] : undefined
  if (report === undefined) return undefined
  const denied = deniedWords(report, 'you')
  if (report.finalizeReady) return { type: 'ready', denied }
  return { type: 'not-ready', denied, reasons: report.notReady, failing: failingIn(report) }
}

/** What fails on the tree that landed last. Ids are in the order of time. */
function failingIn({ tasks }: WireReport): readonly string[] {
  const [last] = tasks
    .flatMap(({ landings }) => landings)
    .filter(({ status }) => status === 'landed')
    .sort((one, other) => (one.id < other.id ? 1 : -1))
  const failing = (last?.checks ?? []).filter(({ failedOnBase }) => failedOnBase === true)
  return failing.map(({ command }) => command)
}
