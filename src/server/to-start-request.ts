import type { StartFailure } from '../contract/failure/api-failure.ts'
import type { ParsedStartJobRequest } from '../contract/start-job-request.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { withoutUndefined } from '../domain/without-undefined.ts'
import type { StartJobRequest } from '../engine/jobs/job-commands.ts'

type Unsupported = Extract<StartFailure, { readonly type: 'repository-unsupported' }>

/** The wire's request as the use case takes it; what is not served yet is refused by name, never ignored. */
export function toStartRequest(wire: ParsedStartJobRequest): Result<StartJobRequest, Unsupported> {
  const { repositoryOwner, repositoryName, repositoryPath, provider, agent, ...rest } = wire
  if (repositoryPath === undefined || repositoryName !== undefined || repositoryOwner !== undefined) {
    const repository = [repositoryOwner, repositoryName].filter((part) => part !== undefined).join('/')
    return failure({ type: 'repository-unsupported', repository })
  }
  // A provider can stand for its agent: the agent that is made for an installed program bears its name.
  return success(withoutUndefined({ ...rest, repositoryPath, agent: agent ?? provider }))
}
