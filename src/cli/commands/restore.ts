import { resolve } from 'node:path'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'

export type RestoreFlags = { readonly force?: true }

/** Makes the home from a backup, in this process, because no daemon may be running in it. */
export async function restoreCommand(
  needs: CommandNeeds,
  file: string,
  flags: RestoreFlags,
): Promise<Outcome> {
  const { output, surroundings, home } = needs
  if (needs.options.server !== undefined) return failure(noServer())
  const path = resolve(surroundings.cwd, file)
  const restored = await surroundings.restore({
    home,
    file: path,
    force: flags.force === true,
    onStart: () => output.note('restoring; this may take a while'),
  })
  if (!restored.ok) return failure({ ...restored.failure, exitCode: exitCodeOf(restored.failure.type) })
  const { madeAt, hubs, movedTo } = restored.value
  return printResult(needs, restored.value, [
    `restored ${safeLine(home)} as it was at ${madeAt} (repositories: ${hubs})`,
    ...(movedTo === undefined ? [] : [`the home that was there before is now ${safeLine(movedTo)}`]),
    `the next command starts its daemon, which continues open jobs: ${output.hint('muster status')}`,
  ])
}

const CONFLICTS: readonly string[] = ['home-taken', 'home-not-empty', 'database-running', 'database-in-use']

function exitCodeOf(type: string): ExitCode {
  return CONFLICTS.includes(type) ? EXIT.conflict : EXIT.failed
}

function noServer() {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: "restore creates a home on this machine, so it can't be used with --server",
    next: 'muster --home DIRECTORY restore FILE',
  }
}
