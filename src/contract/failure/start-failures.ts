import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { closestWord } from '../../domain/closest-word.ts'
import { type ConfigurationFailure, WHOLE_FILE } from '../../domain/job/start-failure.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { GuardedPart, PartEffect } from '../../domain/trust/guarded-part.ts'
import type { ChangedFailure, StartFailure } from './api-failure.ts'
import { type FailureDescription, type FailureTable, refusal } from './refusal.ts'

const ADD_AGENT =
  'Add the agent under `agents:` in muster.yaml; the file that `muster init` writes has examples'

export const CHOOSE_BASE = 'git branch --list, then: muster run GOAL --base BRANCH'

export const startFailures: FailureTable<StartFailure | ChangedFailure> = {
  'goal-empty': refusal(422, () => ({
    message: 'The goal is empty.',
    next: 'muster run "what should be true when the job is done"',
  })),
  'goal-too-large': refusal(413, ({ bytes, limit }) => ({
    message: `The goal is ${bytes} bytes long; the limit is ${limit}.`,
    next: 'Move the long parts into files in the repository and refer to them from the goal.',
  })),
  'task-list-too-large': refusal(413, ({ bytes, limit }) => ({
    message: `The task list is ${bytes} bytes long; the limit is ${limit}.`,
    next: 'Move the long parts into files in the repository and refer to them from the list.',
  })),
  'uncommitted-unusable': refusal(422, ({ path, problem }) => ({
    message: `The uncommitted changes in ${path} can't be included: ${problem}.`,
    next: 'Commit them, or start the job without --include-uncommitted.',
  })),
  'uncommitted-elsewhere': refusal(422, ({ base, branch }) => ({
    message: `Your uncommitted changes are based on ${branch ?? 'a detached HEAD'}, which is checked out, so a job that starts from ${base} can't include them.`,
    next: 'Leave out --base, or --include-uncommitted.',
  })),
  'agent-unknown': refusal(422, ({ agent, known }) => {
    const meant = closestWord(agent, known)
    const hint = meant === undefined ? listNames('agents', known) : `Did you mean ${meant}?`
    return { message: `There is no agent named ${agent}. ${hint}`, next: ADD_AGENT }
  }),
  'agent-unfit': refusal(422, ({ agent, role, roles }) => ({
    message: `${agent} cannot be the ${role}: ${describeRoles(roles)}.`,
    next: `Add ${role} to the roles of ${agent} in muster.yaml, or choose another agent.`,
  })),
  'model-unbound': refusal(422, ({ agent, role, model, models }) => ({
    message: `${agent} cannot be the ${role}: it uses ${model ?? 'a model that its program chooses'}, but the role is bound to ${models.join(', ')}.`,
    next: `Set the model of ${agent} to one of those in muster.yaml, or add its model to \`roles.${role}.models\`.`,
  })),
  'agent-absent': refusal(422, describeAbsence),
  'program-missing': refusal(503, ({ agent, program, install }) => ({
    message: `The agent ${agent} needs the program ${program}, which is not installed. Nothing was started.`,
    next: install,
  })),
  'agent-unready': refusal(503, ({ agent, reason, remedy }) => ({
    message: `${reason}, so the agent ${agent} can't work. Nothing was started.`,
    next: `${remedy}, then try again`,
  })),
  'provider-unknown': refusal(422, ({ provider, known }) => ({
    message: `There is no provider named ${provider}. ${listNames('providers', known)}`,
    next: 'Fix `provider` in muster.yaml.',
  })),
  'branch-invalid': refusal(422, ({ branch, use }) =>
    use === 'base'
      ? {
          message: `"${branch}" is not a branch. The base must be a branch, not a tag, a commit or an expression.`,
          next: CHOOSE_BASE,
        }
      : {
          message: `"${branch}" is not a valid branch name.`,
          next: 'muster run --branch <another-name> ...',
        },
  ),
  'branch-taken': refusal(409, ({ branch }) => ({
    message: `The branch ${branch} already exists, and a job must not overwrite other work.`,
    next: 'muster run --branch <another-name> ...',
  })),
  'disk-nearly-full': refusal(507, ({ path, freeMb, neededMb }) => ({
    message: `Only ${freeMb} MB is free at ${path}; a job needs ${neededMb} MB.`,
    next: 'Free some space and try again. Nothing was lost.',
  })),
  'repository-unsupported': refusal(422, ({ repository }) => ({
    message: `${repository} is not on this machine, and Muster does not support remote repositories yet.`,
    next: 'Clone it, then run `muster run` inside the clone.',
  })),
  'configuration-invalid': refusal(422, (failed) => ({
    message: describeConfiguration(failed),
    next: failed.isLink === true ? copyOverLink(failed.file) : `Fix ${failed.file} and try again.`,
  })),
  'configuration-untrusted': refusal(403, ({ repositoryPath, parts, hasChanged }) => ({
    message: `The muster.yaml in ${repositoryPath} ${describeEffects(parts)}${hasChanged ? ', and this has changed since you trusted it' : ', and you have not trusted it yet'}. Nothing was started.`,
    next: `muster trust ${shellWord(repositoryPath)}`,
  })),
  'configuration-changed': refusal(409, ({ repositoryPath }) => ({
    message: `The muster.yaml in ${repositoryPath} has changed since it was shown, so it was not trusted.`,
    next: `muster trust ${shellWord(repositoryPath)}`,
  })),
}

type AgentAbsent = Extract<StartFailure, { readonly type: 'agent-absent' }>

function describeAbsence({ role, installs = [] }: AgentAbsent): FailureDescription {
  if (installs.length > 0) {
    return {
      message: 'No agent is configured, and none of the supported agent programs is installed.',
      next: [
        'Install one of these and log in:',
        ...installs.map((command) => `  ${command}`),
        'then: muster doctor',
        'Or add your own program to muster.yaml; the file that `muster init` writes has an example',
      ].join('\n'),
    }
  }
  if (role !== ROLE_FOR.review) {
    return { message: `No configured agent has the role "${role}".`, next: ADD_AGENT }
  }
  return {
    message: `Mode "review" needs a ${role}, but no agent has that role.`,
    next: `Give an agent the role \`${role}\` in muster.yaml, or use --mode auto or approve`,
  }
}

/** The same on Linux and macOS: `cp` follows the link, and `mv` replaces it. */
function copyOverLink(file: string): string {
  const [path, copy] = [shellWord(file), shellWord(`${file}.copy`)]
  return `cp ${path} ${copy} && mv ${copy} ${path}`
}

/** A problem with the whole file names no field. */
function describeConfiguration({ file, line, field, problem }: ConfigurationFailure): string {
  const place = line === undefined ? file : `${file}:${line}`
  if (field !== WHOLE_FILE) return `${place}: ${field}: ${problem}`
  return line === undefined ? `${file} ${problem}` : `${place}: ${problem}`
}

const EFFECTS = {
  'runs-programs': 'runs programs',
  'loosens-protection': 'loosens protection',
  'sends-keys': 'sends your API keys to an address of its choice',
} as const satisfies Record<PartEffect, string>

/** Such as: runs programs and loosens protection (checks[0], sandbox.level). */
function describeEffects(parts: readonly GuardedPart[]): string {
  const effects = Object.entries(EFFECTS).flatMap(([effect, words]) =>
    parts.some((part) => part.effect === effect) ? [words] : [],
  )
  const fields = parts.slice(0, MOST_NAMED).map(({ field }) => field)
  const more = parts.length > MOST_NAMED ? [`and ${parts.length - MOST_NAMED} more`] : []
  const words = effects.join(', ').replace(/, ([^,]*)$/, ' and $1')
  return `${words} (${[...fields, ...more].join(', ')})`
}

const MOST_NAMED = 5

function describeRoles(roles: readonly string[]): string {
  if (roles.length === 0) return 'it has no roles'
  return `its ${roles.length === 1 ? 'role is' : 'roles are'} ${roles.join(', ')}`
}

function listNames(noun: string, known: readonly string[]): string {
  return known.length === 0 ? `No ${noun} are configured.` : `Known ${noun}: ${known.join(', ')}.`
}
