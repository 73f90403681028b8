import type { TreeRequest } from '../../ports/working-trees.ts'

/** The part of a tree request that asks for files copied from the person's checkout. */
export function copiesInto(
  repositoryPath: string,
  paths: readonly string[] | undefined,
): Pick<TreeRequest, 'copies'> {
  return paths === undefined || paths.length === 0 ? {} : { copies: { from: repositoryPath, paths } }
}
