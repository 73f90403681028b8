import type { WireCleaned } from '../../client/index.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirm } from '../confirm.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { cleanedLines } from '../render/cleanup/deletion-lines.ts'
import { counted } from '../render/text/counted.ts'
import { displayOf } from '../render/text/display.ts'
import { repeatCall } from '../repeat-call.ts'
import { extentOf } from '../repository/newest-job.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { deleteCommand } from './delete.ts'

export type CleanFlags = { readonly olderThan?: number; readonly dryRun?: true; readonly yes?: true }

const USUAL_MINUTES = CLEANUP_LIMITS.jobDays * 24 * 60

/** Deletes old jobs, after showing which. With a name, deletes that job, or the job of that run, as `delete` does. */
export async function cleanCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: CleanFlags,
): Promise<Outcome> {
  if (text !== undefined) return cleanOne(needs, text, flags)
  const { olderThan = USUAL_MINUTES } = flags
  const endedBefore = new Date(needs.surroundings.now().getTime() - olderThan * 60_000).toISOString()
  return withDaemon(needs, (client, link) =>
    withAnswer(
      repeatCall(needs, link, () => client.clean({ endedBefore, dryRun: true })),
      (planned) => decide(needs, link, planned, flags),
    ),
  )
}

async function cleanOne(
  needs: CommandNeeds,
  text: string,
  { olderThan, ...flags }: CleanFlags,
): Promise<Outcome> {
  if (olderThan === undefined) return deleteCommand(needs, text, flags)
  return failure({
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: '--older-than is only for cleaning several jobs',
    next: `muster clean ${text}`,
  })
}

async function decide(
  needs: CommandNeeds,
  link: DaemonLink,
  planned: WireCleaned,
  flags: CleanFlags,
): Promise<Outcome> {
  const extent = await extentOf(planned.jobs, needs.surroundings.cwd)
  const lines = (cleaned: WireCleaned) =>
    cleanedLines(cleaned, extent, needs.surroundings.now(), displayOf(needs))
  const removed = planned.jobs.filter(({ kept }) => kept === undefined)
  const count = removed.length
  if (flags.dryRun === true) return printResult(needs, planned, lines(planned))
  if (count === 0) {
    const unchanged = { ...planned, isDryRun: false }
    return printResult(needs, unchanged, lines(unchanged))
  }
  if (flags.yes !== true) for (const line of lines(planned)) needs.output.printProse(line)
  const agreed = await confirm(needs, flags.yes === true, {
    text: `Delete ${counted(count, 'job')}${placeWords(removed)}? This can't be undone.`,
    undone: 'nothing was deleted',
    command: 'muster clean --yes',
  })
  if (agreed !== 'agreed') return agreed
  const { endedBefore } = planned
  return withAnswer(
    // What the first call deleted before the daemon was lost is no longer among the jobs of the second.
    repeatCall(needs, link, () => link.client.clean({ endedBefore })),
    (cleaned) => printResult(needs, cleaned, lines(cleaned).slice(flags.yes === true ? 0 : -1)),
  )
}

function placeWords(jobs: WireCleaned['jobs']): string {
  const repositories = new Set(jobs.map(({ repositoryPath }) => repositoryPath)).size
  return repositories > 1 ? ` of ${repositories} repositories` : ''
}
