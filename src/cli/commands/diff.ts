import type { MusterClient, WireDiff } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { diffLines } from '../render/task/diff-lines.ts'
import type { FoundId } from '../resolve-id.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type DiffFlags = { readonly stat?: true }

/** What something changes: which files and how much, then line by line. */
export async function diffCommand(needs: CommandNeeds, text: string, flags: DiffFlags): Promise<Outcome> {
  return withFound(needs, text, ['task', 'approval', 'job'], (client, found) =>
    withAnswer(readDiff(client, found), (diff) => showDiff(needs, diff, flags)),
  )
}

async function showDiff({ output }: CommandNeeds, diff: WireDiff, flags: DiffFlags): Promise<Outcome> {
  const isStat = flags.stat === true
  output.value({ success: true, data: isStat ? { ...diff, patch: '' } : diff })
  for (const line of diffLines(diff, output.paint, isStat ? 'stat' : 'whole')) {
    output.print(line)
    await output.drained()
    if (output.closed.aborted) break
  }
  return success(EXIT.done)
}

function readDiff(client: MusterClient, { kind, id }: FoundId) {
  if (kind === 'approval') return client.getApprovalDiff(id)
  return kind === 'job' ? client.getJobDiff(id) : client.getTaskDiff(id)
}
