import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiError } from '../../client/index.ts'
import { apiProblem } from '../api-problem.ts'
import type { Problem } from '../problem.ts'

const GUIDE = 'docs/guides/bring-your-own-agent.md'

/** Why a job was not started, in the words of the flags and files the person used. */
export async function startProblem(error: ApiError, repository: string): Promise<Problem> {
  const problem = apiProblem(error)
  switch (error.type) {
    case 'base-missing':
      return {
        ...problem,
        why: '--base takes the name of a branch of this repository, not any other name of a commit',
        next: 'git branch --list, then: muster run GOAL --base BRANCH',
      }
    case 'agent-unknown':
    case 'agent-absent':
      return { ...problem, next: await addAgent(repository) }
    default:
      return problem
  }
}

async function addAgent(repository: string): Promise<string> {
  const isThere = await access(join(repository, 'muster.yaml')).then(
    () => true,
    // Absent or unreadable: init says which.
    () => false,
  )
  const add = `add an agent under \`agents:\` in muster.yaml; see ${GUIDE}`
  return isThere ? add : `muster init, then ${add}`
}
