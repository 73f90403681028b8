import type { WirePullRequest } from '../../../client/index.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { TASK_LIST_FILE } from '../../../domain/task/task-list-file.ts'
import { EXIT } from '../../exit-code.ts'
import type { Hint } from '../../hint.ts'
import type { Problem } from '../../problem.ts'
import { compareUrl, FORGE_NAMES } from '../../pull-request/forge.ts'
import { type NoAccess, PROGRAMS, tokenNames } from '../../pull-request/forge-access.ts'
import type { Opened } from '../../pull-request/open-pull-request.ts'
import type { PrPlan } from '../../pull-request/pr-plan.ts'
import { safeLine, safeMarkdown } from '../text/safe-text.ts'
import { notReadyWarnings } from './readiness-lines.ts'

/** What to know before the work is shown to others. None of it prevents that. */
export function pushWarnings({ isReady, notReady, warnings }: WirePullRequest): readonly string[] {
  return [...(isReady ? [] : notReadyWarnings(notReady)), ...warnings.map((warning) => safeLine(warning))]
}

/** The result of a push. */
export function pushedLine({ proposal, remote, branch }: PrPlan, hasMoved: boolean): string {
  const at = proposal.commit.slice(0, 10)
  return hasMoved
    ? `Pushed ${safeLine(branch)} to ${safeLine(remote.name)} at ${at}.`
    : `${safeLine(branch)} on ${safeLine(remote.name)} was already at ${at}.`
}

export function openedLines(plan: PrPlan, opened: Opened, hasMoved: boolean): readonly string[] {
  const done = opened.status === 'opened' ? 'Opened' : 'Updated the text of'
  return [
    pushedLine(plan, hasMoved),
    `${done} pull request ${opened.number} into ${safeLine(opened.base)}: ${safeLine(opened.url)}`,
  ]
}

/** `way` is the name of what opens the pull request. */
export type DryRun = { readonly way: { readonly name: string } | NoAccess; readonly withTaskList: boolean }

export function dryRunLines(plan: PrPlan, { way, withTaskList }: DryRun, hint: Hint): readonly string[] {
  const { proposal, remote, branch, title } = plan
  const list = proposal.hasTaskList === true && !withTaskList ? `, without ${TASK_LIST_FILE},` : ''
  const at = proposal.commit.slice(0, 10)
  return [
    plan.forge === undefined
      ? 'Would push nothing.'
      : `Would push ${at}${list} to ${safeLine(branch)} on ${safeLine(remote.name)} (${safeLine(plan.shownUrl)}).`,
    ...openingLines(plan, way, hint),
    '',
    `Title: ${safeLine(title)}`,
    '',
    ...safeMarkdown(proposal.body).trimEnd().split('\n'),
  ]
}

/** Whether a pull request would be opened, or else what is missing. */
function openingLines(plan: PrPlan, way: DryRun['way'], hint: Hint): readonly string[] {
  const { base, forge } = plan
  if (forge !== undefined && typeof way !== 'string')
    return [
      `Would open a pull request into ${safeLine(base)} of ${safeLine(forge.path)} on ${FORGE_NAMES[forge.kind]}, with ${way.name}.`,
    ]
  const missing = typeof way === 'string' ? way : 'nothing'
  const remedy = remedyOf(plan, missing)
  return [
    `Would not open a pull request: ${whyNotOpened(plan, missing)}.`,
    ...(remedy === undefined ? [] : [`  try: ${hint(remedy)}`]),
  ]
}

/** What is missing to open a pull request. */
function whyNotOpened(plan: PrPlan, missing: NoAccess): string {
  const { forge } = plan
  if (forge === undefined) return whyUnknown(plan)
  const program = PROGRAMS[forge.kind]
  const problem =
    missing === 'logged-out'
      ? `${program} has no log-in that works for ${safeLine(forge.host)}`
      : `${program} can't be used`
  return `there is no ${tokenNames(forge).join(' or ')}, and ${problem}`
}

function whyUnknown({ remote, shownUrl }: PrPlan): string {
  return `${safeLine(remote.address?.host ?? shownUrl)} is not known to be GitHub or GitLab`
}

/** What the person can do about it; undefined if the remote is not on another machine. */
function remedyOf({ forge, remote, proposal }: PrPlan, missing: NoAccess): string | undefined {
  if (forge !== undefined) {
    const program = PROGRAMS[forge.kind]
    const install = missing === 'logged-out' ? '' : `install ${program} and `
    // The program knows no address that was given to this command.
    const logIn = forge.isApiGiven
      ? ''
      : `${install}run ${program} auth login --hostname ${safeLine(forge.host)}, or `
    return `${logIn}set ${tokenNames(forge)[0]}; then: muster pr ${proposal.jobId}`
  }
  return remote.address?.host === undefined
    ? undefined
    : `muster pr ${proposal.jobId} --forge gitlab, or --forge github`
}

export function unpushedWarning({ proposal, remote, base }: PrPlan): string {
  const at = proposal.baseCommit.slice(0, 10)
  return `${safeLine(base)} on ${safeLine(remote.name)} doesn't have ${at}, where the job started, so the pull request also contains commits that you haven't pushed`
}

/** The branch is pushed, but there is no token and no program to open a pull request with. */
export function notOpened(plan: PrPlan, missing: NoAccess, hasMoved: boolean): Problem {
  const { forge, base, branch, proposal } = plan
  const remedy = remedyOf(plan, missing)
  return {
    type: 'pull-request-not-opened',
    exitCode: EXIT.conflict,
    message: `the branch is pushed, but no pull request was opened: ${whyNotOpened(plan, missing)}`,
    why: [
      pushedLine(plan, hasMoved),
      ...(forge === undefined ? [] : [`Open it here: ${safeLine(compareUrl(forge, base, branch))}`]),
      `Its text: muster report ${proposal.jobId} --format markdown`,
    ].join('\n'),
    ...(remedy === undefined ? {} : { next: remedy }),
  }
}

/** Found before the push: a remote on which no pull request can be opened. */
export function noForge(plan: PrPlan): Problem {
  const { remote, proposal } = plan
  const { repositoryPath, branch } = proposal
  const own = `git -C ${shellWord(repositoryPath)} push ${shellWord(remote.name)} ${shellWord(branch)}`
  const remedy = remedyOf(plan, 'nothing')
  return {
    type: 'forge-unknown',
    exitCode: EXIT.conflict,
    message: `can't open a pull request, so nothing was pushed: ${whyUnknown(plan)}`,
    ...(remedy === undefined ? {} : { why: `To push the branch without a pull request: ${own}` }),
    next: remedy ?? own,
  }
}

export function noBase({ jobId }: WirePullRequest): Problem {
  return {
    type: 'base-detached',
    exitCode: EXIT.usage,
    message: `${jobId} started from a detached HEAD, so it has no base branch`,
    next: `muster pr ${jobId} --base main`,
  }
}

export function invalidBranch(name: string, base?: string): Problem {
  const why = base === undefined ? 'git does not allow this branch name' : 'it is the base branch'
  const message = `can't push to ${safeLine(name)}: ${why}`
  return { type: 'branch-invalid', exitCode: EXIT.usage, message, next: 'muster pr --help' }
}

export function baseAbsent({ remote, base, proposal }: PrPlan): Problem {
  return {
    type: 'base-missing',
    exitCode: EXIT.usage,
    message: `${safeLine(remote.name)} has no branch ${safeLine(base)}, so nothing was pushed`,
    why: 'A pull request needs a branch to merge into. Push that branch first, or name another one.',
    next: `muster pr ${proposal.jobId} --base BRANCH`,
  }
}

/** The daemon is on another machine, or the person may not read its files. */
export function notHere({ proposal }: PrPlan): Problem {
  const { repositoryPath, branch } = proposal
  return {
    type: 'hub-unreadable',
    exitCode: EXIT.failed,
    message: `the work can't be read at ${safeLine(proposal.objectsPath)}, so nothing was pushed`,
    why: "Run this command on the daemon's machine and as the daemon's user, or push the branch yourself.",
    next: `git -C ${shellWord(repositoryPath)} push origin ${shellWord(branch)}`,
  }
}
