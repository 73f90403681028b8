import { join } from 'node:path'
import type { ProjectId } from '../../../domain/id.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import type { SessionHost } from '../../../ports/session-host.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { programPlaces } from './program-places.ts'
import { sandboxOf } from './sandbox-of.ts'

type Needs = Pick<EngineNeeds, 'settings' | 'disk' | 'providers'> & {
  readonly host: Pick<SessionHost, 'trySandbox'>
}

/**
 * Tries the sandbox that sessions of a repository would get, with everything that it shows and hides, but without a
 * tree. Returns why it doesn't work.
 */
export async function findSandboxProblem(
  needs: Needs,
  { agents, sandbox }: Pick<Configuration, 'agents' | 'sandbox'>,
): Promise<string | undefined> {
  const { passedEnvironment: environment, musterHome } = needs.settings
  const { PATH: searchPath = '' } = environment
  const places = await Promise.all(
    agents.map(({ command: [program, ...rest] = [] }) =>
      program === undefined ? [] : programPlaces(needs, { command: [program, ...rest], environment: {} }),
    ),
  )
  const none = join(musterHome, 'none')
  const projectId = 'none' as ProjectId
  const policy = sandboxOf(
    needs,
    { sandbox, projectId, tree: { project: projectId, directory: none, commit: '', branch: '' } },
    { sessionDirectory: none, searchPath, programs: places.flat() },
  )
  const tried = await needs.host.trySandbox({ sandbox: policy, cwd: '/', environment })
  return tried.ok ? undefined : describeFailure(tried.failure)
}
