import type { MusterClient, WireDeletedJob } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirm } from '../confirm.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { deletedLine, deletionLines } from '../render/cleanup/deletion-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type DeleteFlags = {
  readonly withUnlandedWork?: true
  readonly branch?: true
  readonly dryRun?: true
  readonly yes?: true
}

/** Deletes an ended job, after showing what goes with it. */
export async function deleteCommand(needs: CommandNeeds, text: string, flags: DeleteFlags): Promise<Outcome> {
  return withFound(needs, text, ['job'], (client, { id }) =>
    withAnswer(client.deleteJob(id, { dryRun: true, withBranch: flags.branch }), (preview) =>
      decide(needs, client, preview, flags),
    ),
  )
}

async function decide(
  needs: CommandNeeds,
  client: MusterClient,
  preview: WireDeletedJob,
  flags: DeleteFlags,
): Promise<Outcome> {
  const { jobId } = preview
  const lines = deletionLines(preview, needs.surroundings.now(), displayOf(needs))
  if (flags.dryRun === true) return printResult(needs, preview, lines)
  const request = { withBranch: flags.branch, withUnlandedWork: flags.withUnlandedWork }
  // Refuses first, so no one confirms a deletion that can't happen.
  const isRefused = isLossy(preview) && flags.withUnlandedWork !== true
  if (!isRefused && preview.running.length === 0) {
    for (const line of lines) needs.output.printProse(line)
    const agreed = await confirm(needs, flags.yes === true, {
      text: `Delete ${jobId}? This can't be undone.`,
      undone: `${jobId} was not deleted`,
      command: ['muster delete', jobId, ...flagsOf(flags), '--yes'].join(' '),
    })
    if (!agreed.ok) return agreed
  }
  return withAnswer(client.deleteJob(jobId, request), (deleted) =>
    printResult(needs, deleted, [deletedLine(deleted)]),
  )
}

function isLossy({ unlanded, undelivered }: WireDeletedJob): boolean {
  return unlanded.length > 0 || undelivered !== undefined
}

function flagsOf({ withUnlandedWork, branch }: DeleteFlags): readonly string[] {
  return [
    ...(withUnlandedWork === true ? ['--with-unlanded-work'] : []),
    ...(branch === true ? ['--branch'] : []),
  ]
}
