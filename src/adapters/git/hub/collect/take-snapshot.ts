import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { fillIndex, type IndexRequest } from './fill-index.ts'

export type Snapshot = { readonly tree: string; readonly omissions: readonly string[] }

/** The files of an agent's tree as a git tree in the hub. */
export async function takeSnapshot(
  needs: { readonly git: Git },
  request: Omit<IndexRequest, 'purpose'>,
): Promise<Result<Snapshot, GitFailure>> {
  const filled = await fillIndex(needs, { ...request, purpose: 'keep' })
  if (!filled.ok) return filled
  const { place, omissions } = filled.value
  const tree = await gitText(needs.git, { ...place, arguments: ['write-tree'] })
  return tree.ok ? success({ tree: tree.value, omissions }) : tree
}
