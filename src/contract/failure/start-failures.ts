import type { StartFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

const ADD_AGENT =
  'Add an agent under `agents:` in muster.yaml, which `muster init` writes; see docs/guides/bring-your-own-agent.md'

/** For whoever named a base that is no branch. */
export const CHOOSE_BASE = 'git branch --list, then: muster run GOAL --base BRANCH'

export const startFailures: FailureTable<StartFailure> = {
  'goal-empty': refusal(422, () => ({
    message: 'The goal is empty, so there is nothing to work towards.',
    next: 'muster run "what should be true when this is done"',
  })),
  'goal-too-large': refusal(413, ({ bytes, limit }) => ({
    message: `The goal has ${bytes} bytes; at most ${limit} are taken.`,
    next: 'Put the long parts into files of the repository and refer to them in the goal.',
  })),
  'task-list-too-large': refusal(413, ({ bytes, limit }) => ({
    message: `The list of tasks has ${bytes} bytes; at most ${limit} are taken.`,
    next: 'Put the long parts into files of the repository and refer to them.',
  })),
  'agent-unknown': refusal(422, ({ agent, known }) => ({
    message: `No agent is called ${agent}. ${knownNames('agents', known)}`,
    next: ADD_AGENT,
  })),
  'agent-unfit': refusal(422, ({ agent, role, roles }) => ({
    message: `${agent} is not a ${role}: ${rolesWords(roles)}.`,
    next: `Add ${role} to the roles of ${agent} in muster.yaml, or name another agent.`,
  })),
  'agent-absent': refusal(422, ({ role }) =>
    role === 'reviewer'
      ? {
          message: 'Mode "review" needs a reviewer, and no agent has that role.',
          next: 'Give an agent the role `reviewer` in muster.yaml, or use --mode auto or approve; see docs/guides/review.md',
        }
      : {
          message: `No agent is configured that can be the ${role}.`,
          next: ADD_AGENT,
        },
  ),
  'provider-unknown': refusal(422, ({ provider, known }) => ({
    message: `No provider is called ${provider}. ${knownNames('providers', known)}`,
    next: 'Correct `provider` in muster.yaml.',
  })),
  'branch-invalid': refusal(422, ({ branch, use }) =>
    use === 'base'
      ? {
          message: `"${branch}" is not the name of a branch. A base must be a branch, not another name of a commit.`,
          next: CHOOSE_BASE,
        }
      : {
          message: `Git does not allow a branch to be called "${branch}".`,
          next: 'muster run --branch <another-name> ...',
        },
  ),
  'branch-taken': refusal(409, ({ branch }) => ({
    message: `There is already a branch ${branch}, and work of another job must not be written over.`,
    next: 'muster run --branch <another-name> ...',
  })),
  'disk-nearly-full': refusal(507, ({ path, freeMb, neededMb }) => ({
    message: `Only ${freeMb} MB are free at ${path}; a job needs ${neededMb} MB to work in.`,
    next: 'Free some space, then try again. Nothing was lost.',
  })),
  'repository-unsupported': refusal(422, ({ repository }) => ({
    message: `${repository} is not on this machine, and remote repositories are not served yet.`,
    next: 'Clone it and give its path: muster run, from inside the clone',
  })),
  'configuration-invalid': refusal(422, ({ file, line, field, problem }) => ({
    message: `${file}${line === undefined ? '' : `:${line}`}: ${field}: ${problem}`,
    next: `Correct ${file} and try again.`,
  })),
}

function rolesWords(roles: readonly string[]): string {
  if (roles.length === 0) return 'it has no role'
  return `its ${roles.length === 1 ? 'role is' : 'roles are'} ${roles.join(', ')}`
}

function knownNames(noun: string, known: readonly string[]): string {
  return known.length === 0 ? `There are no ${noun}.` : `There are: ${known.join(', ')}.`
}
