import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiError } from '../../client/index.ts'
import { apiProblem } from '../api-problem.ts'
import type { Problem } from '../problem.ts'

const GUIDE = 'docs/guides/bring-your-own-agent.md'
const REVIEWS = 'docs/guides/review.md'

type Asked = { readonly repositoryPath: string; readonly baseBranch?: string | undefined }

/** Why a job was not started, in the words of the flags and files the person used. */
export async function startProblem(error: ApiError, asked: Asked): Promise<Problem> {
  const problem = apiProblem(error)
  if (isAboutBase(error, asked)) {
    return {
      ...problem,
      why: '--base takes the name of a branch of this repository, not any other name of a commit',
      next: 'git branch --list, then: muster run GOAL --base BRANCH',
    }
  }
  if (error.type === 'agent-absent' && error.details?.['role'] === 'reviewer') {
    return { ...problem, next: `give an agent the role \`reviewer\` in muster.yaml; see ${REVIEWS}` }
  }
  switch (error.type) {
    case 'agent-unknown':
    case 'agent-absent':
      return { ...problem, next: await addAgent(asked.repositoryPath) }
    default:
      return problem
  }
}

/** A base with a name that git allows no branch to have is refused before it is looked for. */
function isAboutBase(error: ApiError, asked: Asked): boolean {
  if (error.type === 'base-missing') return true
  const branch = error.details?.['branch']
  return error.type === 'branch-invalid' && branch !== undefined && branch === asked.baseBranch
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
