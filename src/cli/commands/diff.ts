import type { MusterClient, WireDiff } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { withPager } from '../pager/with-pager.ts'
import type { Outcome } from '../problem.ts'
import { diffLines, leftOutLines } from '../render/task/diff-lines.ts'
import type { FoundId } from '../resolve-id.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

const IN_PROGRESS = 'in progress: the agent is still at work, and this is what it has changed so far'

export type DiffFlags = { readonly stat?: true; readonly withTaskList?: true }

/** Prints what a task, a session, a job or a pending landing changes: a table of files, then the patch. */
export async function diffCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: DiffFlags,
): Promise<Outcome> {
  return withPager(needs, (paged) =>
    withFound(paged, text, ['task', 'session', 'approval', 'job'], (client, found) =>
      withAnswer(readDiff(client, found, flags), (diff) => showDiff(paged, diff, flags)),
    ),
  )
}

async function showDiff(
  { output, surroundings }: CommandNeeds,
  diff: WireDiff,
  flags: DiffFlags,
): Promise<Outcome> {
  const isStat = flags.stat === true
  output.value({ success: true, data: isStat ? { ...diff, patch: '' } : diff })
  const { columns } = surroundings.stdout
  if (diff.inProgress === true) output.printProse(IN_PROGRESS)
  for (const line of leftOutLines(diff, output)) output.printProse(line)
  for (const line of diffLines(diff, output.paint, isStat ? 'stat' : 'whole', columns)) {
    output.printExact(line)
    await output.drained()
    if (output.closed.aborted) break
  }
  return success(EXIT.done)
}

function readDiff(client: MusterClient, { kind, id }: FoundId, { withTaskList }: DiffFlags) {
  if (kind === 'approval') return client.getApprovalDiff(id)
  if (kind === 'session') return client.getSessionDiff(id)
  return kind === 'job' ? client.getJobDiff(id, { withTaskList }) : client.getTaskDiff(id)
}
