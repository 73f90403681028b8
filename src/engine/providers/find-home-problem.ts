import type { Unready } from '../../domain/agent/unready.ts'
import type { AgentProvider } from '../../ports/agent-provider.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { homesOf } from './homes-of.ts'
import { namedHomeOf } from './named-home.ts'

type Needs = Pick<EngineNeeds, 'settings' | 'disk'>

/**
 * Why a provider's program may not use the directory that the person named for its files. The sandbox lets sessions
 * write to all of that directory, even those that may not change their tree.
 */
export async function findHomeProblem(
  needs: Needs,
  provider: AgentProvider,
  repositoryPath: string | undefined,
): Promise<Unready | undefined> {
  const { homeVariable: variable } = provider
  const named = namedHomeOf(needs, provider)
  if (variable === undefined || named === undefined) return undefined
  const kept = [
    ...homesOf(needs.settings).map((path) => ({ path, what: 'your home directory' })),
    { path: needs.settings.musterHome, what: "Muster's home directory" },
    ...(repositoryPath === undefined ? [] : [{ path: repositoryPath, what: 'the repository' }]),
  ]
  const directory = await needs.disk.realPath(named)
  for (const { path, what } of kept) {
    const relation = relate(directory, await needs.disk.realPath(path))
    if (relation !== undefined) {
      return {
        cause: 'login',
        reason: `${variable} names ${named}, which ${relation} ${what}; Muster won't make that writable`,
        remedy: `Set ${variable} to a separate directory or unset it, and run \`muster shutdown\``,
      }
    }
  }
  return undefined
}

function relate(directory: string, path: string): 'is' | 'contains' | undefined {
  if (directory === path) return 'is'
  return path.startsWith(directory === '/' ? '/' : `${directory}/`) ? 'contains' : undefined
}
