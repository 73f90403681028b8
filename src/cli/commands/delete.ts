import type { ApiError, Result, WireDeletedJob } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirm } from '../confirm.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { unnamedJob } from '../id-problems.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { deletedLine, deletionLines } from '../render/cleanup/deletion-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { repeatCall } from '../repeat-call.ts'
import { withAnswer, withChanged } from '../with-daemon.ts'

export type DeleteFlags = {
  readonly withUnlandedWork?: true
  readonly branch?: true
  readonly dryRun?: true
  readonly yes?: true
}

/** Deletes an ended job, after showing what goes with it. Without a name, it only says which job it would be. */
export async function deleteCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: DeleteFlags,
): Promise<Outcome> {
  if (text === undefined)
    return withChanged(needs, text, ['job'], async (_client, { id }) => failure(unnamedJob('delete', id)))
  return withChanged(needs, text, ['job'], (client, { id }, link) =>
    withAnswer(
      repeatCall(needs, link, () => client.deleteJob(id, { dryRun: true, withBranch: flags.branch })),
      (preview) => decide(needs, link, preview, flags),
    ),
  )
}

async function decide(
  needs: CommandNeeds,
  link: DaemonLink,
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
      text: `Delete ${needs.output.ids.of(jobId)}? This can't be undone.`,
      undone: 'nothing was deleted',
      command: ['muster delete', jobId, ...flagsOf(flags), '--yes'].join(' '),
    })
    if (agreed !== 'agreed') return agreed
  }
  return withAnswer(deleteIt(needs, link, preview, request), (deleted) =>
    printResult(needs, deleted, [deletedLine(deleted)]),
  )
}

/** If the daemon is lost while it deletes the job, and doesn't know the job afterwards, then it has deleted it. */
async function deleteIt(
  needs: CommandNeeds,
  link: DaemonLink,
  preview: WireDeletedJob,
  request: Parameters<DaemonLink['client']['deleteJob']>[1],
): Promise<Result<WireDeletedJob, ApiError>> {
  let calls = 0
  const deleted = await repeatCall(needs, link, () => {
    calls += 1
    return link.client.deleteJob(preview.jobId, request)
  })
  const isGone = !deleted.ok && deleted.failure.status === 404 && calls > 1
  return isGone ? success({ ...preview, isDryRun: false }) : deleted
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
