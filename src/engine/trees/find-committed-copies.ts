import type { Job } from '../../domain/job/job.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'hub'>

/**
 * The changed files of an agent's work that came into its tree as copies: only those that it committed by force are
 * among them, and they must not land. Where the base has something of that name, nothing was copied.
 */
export async function findCommittedCopies(
  needs: Needs,
  { projectId, plan }: Pick<Job, 'projectId' | 'plan'>,
  base: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const given of plan.copy ?? []) {
    const copy = given.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
    const suspects = files.filter((file) => file === copy || file.startsWith(`${copy}/`))
    if (suspects.length === 0) continue
    const [text, below] = await Promise.all([
      needs.hub.readFile(projectId, base, copy),
      needs.hub.listFiles(projectId, base, copy),
    ])
    if (text === undefined && below.length === 0) found.push(...suspects)
  }
  return found
}
