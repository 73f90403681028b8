import type { ApiError, MusterClient, Result, WireDeletedJob } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirm } from '../confirm.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import { unnamedJob } from '../id-problems.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
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

/** Deletes an ended job, or the job that only followed a run, after showing what goes with it. Without a name, it only says which job it would be. */
export async function deleteCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: DeleteFlags,
): Promise<Outcome> {
  if (text === undefined)
    return withChanged(needs, text, ['job'], async (_client, { id }) => failure(unnamedJob('delete', id)))
  return withChanged(needs, text, ['job', 'run'], async (client, { kind, id: found }, link) => {
    const job = kind === 'run' ? await jobOfRun(client, found) : success(found)
    if (!job.ok) return job
    const id = job.value
    return withAnswer(
      repeatCall(needs, link, () => client.deleteJob(id, { dryRun: true, withBranch: flags.branch })),
      (preview) => decide(needs, link, preview, flags),
    )
  })
}

/** The job of a run, if the job did nothing else. */
async function jobOfRun(client: MusterClient, id: string): Promise<Result<string, Problem>> {
  const run = await client.getRun(id)
  const job = run.ok ? await client.getJob(run.value.jobId) : run
  if (!run.ok) return failure(apiProblem(run.failure))
  if (!job.ok) return failure(apiProblem(job.failure))
  const isOnly = job.value.playbook !== undefined && run.value.parentId === undefined
  if (isOnly) return success(job.value.id)
  return failure({
    type: 'id-unusable',
    exitCode: EXIT.usage,
    message: `${id} is only a part of ${job.value.id}, so it can only be deleted with the whole job`,
    next: `muster delete ${job.value.id}`,
  })
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
