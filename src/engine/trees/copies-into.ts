import type { TreeRequest } from '../../ports/working-trees.ts'

/** The part of a request for a tree that asks for copies of files of the person's checkout. */
export function copiesInto(
  repositoryPath: string,
  paths: readonly string[] | undefined,
): Pick<TreeRequest, 'copies'> {
  return paths === undefined || paths.length === 0 ? {} : { copies: { from: repositoryPath, paths } }
}
