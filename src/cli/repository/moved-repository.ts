import { movedRepository } from '../../contract/failure/repository-failures.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from './find-repository.ts'

/** Undefined if the repository of a job is still at its path on this machine. */
export async function findMovedRepository(
  path: string,
): Promise<(Pick<Problem, 'type' | 'exitCode' | 'message'> & { readonly next: string }) | undefined> {
  if ((await findRepository(path)) === path) return undefined
  return { type: 'repository-moved', exitCode: EXIT.failed, ...movedRepository(safeLine(path)) }
}
