import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { ExitCode } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'

export type ServeFlags = { readonly port?: number; readonly background?: true; readonly adoptDatabase?: true }

/** Runs the daemon until it is asked to stop. */
export async function serveCommand(needs: CommandNeeds, flags: ServeFlags): Promise<Outcome> {
  const { surroundings } = needs
  const exitCode = await surroundings.serve({
    home: needs.home,
    ...(flags.port === undefined ? {} : { port: flags.port }),
    background: flags.background === true,
    adoptDatabase: flags.adoptDatabase === true,
    stdout: (line) => surroundings.stdout.write(`${line}\n`),
    stderr: (line) => surroundings.stderr.write(`${line}\n`),
  })
  return success(exitCode as ExitCode)
}
