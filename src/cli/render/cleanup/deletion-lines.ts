import type { WireCleaned, WireDeletedJob } from '../../../client/index.ts'
import { jobStanding } from '../job/job-words.ts'
import { byteWords } from '../text/byte-words.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { momentWords } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { workLines } from './pinned-lines.ts'
import { type Extent, repositoryGroups } from './repository-groups.ts'

/** What deleting a job removes, before the person confirms it. */
export function deletionLines(deletion: WireDeletedJob, now: Date, display: Display): readonly string[] {
  const { jobId, title, bytes, unlanded, superseded, undelivered, workingBranch, isBranchRemoved } = deletion
  const branch = safeLine(workingBranch)
  return [
    `${display.paint('strong', jobId)}  ${safeLine(title, 60)}  ${byteWords(bytes)} of records and files`,
    isBranchRemoved
      ? `  branch ${branch} is deleted in your repository too`
      : `  branch ${branch}, if it is in your repository, stays as it is; --branch deletes it too`,
    ...(superseded === 0 ? [] : [`  ${supersededWords(superseded)}`]),
    ...(unlanded.length === 0 ? [] : [`  ${lossWords(unlanded.length)}:`]),
    ...unlanded.flatMap((work) => workLines(work, now, display)).map((line) => `  ${line}`),
    ...(undelivered === undefined ? [] : [`  ${undeliveredWords(branch, isBranchRemoved)}`]),
  ]
}

/** The person's branch may exist all the same, without the work that landed last. */
function undeliveredWords(branch: string, isBranchRemoved: boolean): string {
  return isBranchRemoved
    ? `what landed on ${branch} is in no other branch of your repository, and is lost too`
    : `not all of what landed on ${branch} is in your repository: what is missing there is lost`
}

function supersededWords(count: number): string {
  const [were, are] = count === 1 ? ['was', 'is'] : ['were', 'are']
  return `${counted(count, 'piece')} of work that ${were} replaced by landed work ${are} deleted too`
}

function lossWords(count: number): string {
  const [exist, are] = count === 1 ? ['exists', 'is'] : ['exist', 'are']
  return `${counted(count, 'piece')} of work that did not land and ${exist} nowhere else ${are} lost`
}

export function deletedLine({ jobId, bytes, isBranchRemoved, workingBranch }: WireDeletedJob): string {
  const branch = isBranchRemoved ? `, and branch ${safeLine(workingBranch)}` : ''
  return `deleted ${jobId}${branch}; ${byteWords(bytes)} freed. The audit log keeps its entries`
}

/** Old jobs, and what happens to each. */
export function cleanedLines(
  cleaned: WireCleaned,
  extent: Extent,
  now: Date,
  display: Display,
): readonly string[] {
  const { jobs, isDryRun, bytes } = cleaned
  if (jobs.length === 0) return [`no job ended before ${momentWords(new Date(cleaned.endedBefore), now)}`]
  const removed = jobs.filter(({ kept }) => kept === undefined)
  const verb = isDryRun ? 'would delete' : 'deleted'
  return [
    ...repositoryGroups(jobs, extent, (job) => cleanedJobLines(job, now, display)),
    `${verb} ${counted(removed.length, 'job')}, ${byteWords(bytes)}; kept ${jobs.length - removed.length}`,
  ]
}

function cleanedJobLines(
  { jobId, title, status, reason, endedAt, bytes, unlanded, kept }: WireCleaned['jobs'][number],
  now: Date,
  { paint }: Display,
): readonly string[] {
  const ended = endedAt === undefined ? '' : ` ${momentWords(new Date(endedAt), now)}`
  const why = kept === undefined ? lossOf(unlanded) : [`  ${paint('warn', 'kept')}: ${safeLine(kept)}`]
  const standing = jobStanding({ status, pausing: false, reason })
  return [
    `${paint('strong', jobId)}  ${standing}${ended}, ${byteWords(bytes)}  ${safeLine(title, 50)}`,
    ...why,
  ]
}

function lossOf(unlanded: readonly string[]): readonly string[] {
  if (unlanded.length === 0) return []
  return [`  includes old work that did not land: ${unlanded.map((name) => safeLine(name)).join(', ')}`]
}
