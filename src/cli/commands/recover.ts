import type { MusterClient } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { pinnedLines, restoredLines } from '../render/cleanup/pinned-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { extentOf } from '../repository/newest-job.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type RecoverFlags = {
  readonly branch?: string
  readonly withRefusedWork?: true
  readonly all?: true
  readonly limit?: number
}

/** Lists work that did not land, or makes one piece of it a branch of the person's repository. */
export async function recoverCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: RecoverFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    if (text === undefined) return list(needs, client, flags)
    if (/^job_/.test(text)) return listOfJob(needs, client, text, flags)
    const here = { cwd: needs.surroundings.cwd, say: needs.output.note, isChange: true }
    const found = await resolveId(client, text, ['attempt', 'task', 'session', 'run'], here)
    if (!found.ok) return found
    return restore(needs, client, found.value.id, flags)
  })
}

async function list(
  needs: CommandNeeds,
  client: MusterClient,
  { all, limit }: RecoverFlags,
  job?: string,
): Promise<Outcome> {
  return withAnswer(client.listPinned({ job, all, limit }), async (page) => {
    const extent = await extentOf(page.items, needs.surroundings.cwd)
    const lines = pinnedLines(page.items, extent, needs.surroundings.now(), displayOf(needs))
    return printResult(needs, page, lines)
  })
}

async function listOfJob(
  needs: CommandNeeds,
  client: MusterClient,
  text: string,
  flags: RecoverFlags,
): Promise<Outcome> {
  const found = await resolveId(client, text, ['job'])
  if (!found.ok) return found
  if (flags.branch === undefined) return list(needs, client, flags, found.value.id)
  return failure({
    type: 'id-unusable',
    exitCode: EXIT.usage,
    message: 'a job can have several pieces of work; name the attempt or the task to restore',
    next: `muster recover ${found.value.id}`,
  })
}

async function restore(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  { branch, withRefusedWork }: RecoverFlags,
): Promise<Outcome> {
  return withAnswer(client.restorePinned(id, { branch, withRefusedWork }), (restored) =>
    printResult(needs, restored, restoredLines(restored)),
  )
}
