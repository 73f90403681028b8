import { stat } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostRequest } from '../../../ports/session-host.ts'
import { findProgram } from '../../shared/find-program.ts'

type Runnable = Pick<HostRequest, 'command' | 'cwd' | 'environment'>

/** The file of the program to run. Fails if it or its directory doesn't exist. */
export async function findRunnable({
  command: [name],
  cwd,
  environment,
}: Runnable): Promise<Result<string, HostFailure>> {
  const [stats, program] = await Promise.all([
    stat(cwd).catch(() => undefined),
    findProgram(name, cwd, environment['PATH']),
  ])
  if (stats?.isDirectory() !== true) return failure({ type: 'directory-missing', directory: cwd })
  return program === undefined ? failure({ type: 'program-missing', program: name }) : success(program)
}
