import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireBackup } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { byteWords } from '../render/text/byte-words.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { repeatCall } from '../repeat-call.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type BackupFlags = { readonly force?: true }

const LOOK_MS = 200

/** Lets the daemon copy its home into one file, and waits for the end. */
export async function backupCommand(needs: CommandNeeds, file: string, flags: BackupFlags): Promise<Outcome> {
  const path = resolve(needs.surroundings.cwd, file)
  return withDaemon(needs, (client, link) =>
    withAnswer(client.startBackup({ file: path, force: flags.force === true }), () =>
      waitForBackup(needs, link),
    ),
  )
}

async function waitForBackup(needs: CommandNeeds, link: DaemonLink): Promise<Outcome> {
  const { output } = needs
  let shown = ''
  for (;;) {
    const asked = await repeatCall(needs, link, () => link.client.getBackup())
    if (!asked.ok) return failure(apiProblem(asked.failure))
    const backup = asked.value
    if (backup.status !== 'running') return showEnd(needs, backup)
    const words = `copying ${backup.step}, ${backup.done} of ${backup.total}`
    if (backup.total > 0 && words !== shown && output.isTerminal) output.note(words)
    shown = words
    await sleep(LOOK_MS)
  }
}

function showEnd(needs: CommandNeeds, backup: Exclude<WireBackup, { status: 'running' }>): Outcome {
  if (backup.status === 'none') {
    return failure({
      type: 'backup-lost',
      exitCode: EXIT.failed,
      message:
        'the daemon was restarted before it could report how the backup went; ' +
        'a backup gets its name only when it is complete, so if there is a new file, it can be used',
      next: 'muster backup FILE',
    })
  }
  if (backup.status === 'failed') {
    const { message, next = 'muster doctor' } = backup
    return failure({ type: 'backup-failed', exitCode: EXIT.failed, message, next })
  }
  const { file, bytes, rows, hubs, problems } = backup
  for (const { project, problem } of problems) {
    needs.output.note(`warning: the repository of ${project} is not in the backup: ${safeLine(problem)}`)
  }
  return printResult(needs, backup, [
    `wrote ${safeLine(file)}: ${byteWords(bytes)}, ${rows} rows, repositories: ${hubs}`,
    `to restore it: ${needs.output.hint(`muster --home DIRECTORY restore ${safeLine(file)}`)}`,
  ])
}
