import { access } from 'node:fs/promises'
import type { MusterClient, WirePullRequest } from '../../client/index.ts'
import { isBranchName } from '../../domain/job/branch-name.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { findRemote } from '../pull-request/find-remote.ts'
import { chooseForge, type Forge, type ForgeFlags } from '../pull-request/forge.ts'
import { findAccess } from '../pull-request/forge-access.ts'
import { type Opened, openPullRequest } from '../pull-request/open-pull-request.ts'
import type { OwnGit } from '../pull-request/own-git.ts'
import type { PrPlan } from '../pull-request/pr-plan.ts'
import { contains, pushBranch, readRemoteBranches } from '../pull-request/push-branch.ts'
import { openPushingRepository } from '../pull-request/pushing-repository.ts'
import { shownUrl } from '../pull-request/remote-address.ts'
import {
  baseAbsent,
  dryRunLines,
  invalidBranch,
  noBase,
  noForge,
  notHere,
  notOpened,
  openedLines,
  pushedLine,
  pushWarnings,
  unpushedWarning,
} from '../render/job/pull-request-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { stopSignals } from '../stop-signals.ts'
import { withAnswer, withChanged } from '../with-daemon.ts'

export type PrFlags = ForgeFlags & {
  readonly remote?: string
  readonly base?: string
  readonly branch?: string
  readonly title?: string
  readonly draft?: true
  readonly dryRun?: true
  readonly withTaskList?: true
  readonly withUncommitted?: true
}

/** The plan for a remote on which a pull request can be opened. */
type ForgePlan = PrPlan & { readonly forge: Forge }
type Needs = CommandNeeds & { readonly client: MusterClient; readonly git: OwnGit }

/** Pushes a job's work with the person's own git, and opens or updates a pull request for it. */
export async function prCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: PrFlags,
): Promise<Outcome> {
  return withChanged(needs, text, ['job'], async (client, { id }) => {
    using stop = stopSignals(needs.surroundings)
    const { surroundings, output } = needs
    const git = { surroundings, mayAsk: output.isTerminal, signal: stop.signal }
    // Awaited here, so that Ctrl-C is handled until the end.
    return await withAnswer(client.getPullRequest(id), async (proposal) => {
      const plan = await planPr(git, proposal, flags)
      if (!plan.ok) return plan
      for (const warning of pushWarnings(proposal)) output.note(`warning: ${warning}`)
      const all = { ...needs, client, git }
      return flags.dryRun === true ? dryRun(all, plan.value, flags) : push(all, plan.value, flags)
    })
  })
}

/** Finds everything that can be found without the network, so that most mistakes cost nothing. */
async function planPr(
  git: OwnGit,
  proposal: WirePullRequest,
  flags: PrFlags,
): Promise<Result<PrPlan, Problem>> {
  const { base = proposal.baseBranch, branch = proposal.branch, title = proposal.title } = flags
  if (base === undefined) return failure(noBase(proposal))
  for (const name of [base, branch]) if (!isBranchName(name)) return failure(invalidBranch(name))
  if (base === branch) return failure(invalidBranch(branch, base))
  const remote = await findRemote(git, proposal.repositoryPath, flags.remote)
  if (!remote.ok) return remote
  const forge = chooseForge(remote.value.address, flags, git.surroundings.environment)
  if (!forge.ok) return forge
  const url = shownUrl(remote.value.url)
  return success({ proposal, remote: remote.value, shownUrl: url, forge: forge.value, base, branch, title })
}

async function dryRun(needs: Needs, plan: PrPlan, flags: PrFlags): Promise<Outcome> {
  const way = plan.forge === undefined ? 'nothing' : await findAccess(accessNeeds(needs), plan.forge)
  const withTaskList = flags.withTaskList === true
  const { proposal, remote, base, branch, title } = plan
  const { jobId, commit, body, isReady } = proposal
  const data = { status: 'dry-run', jobId, remote: remote.name, branch, commit, baseBranch: base }
  return printResult(
    needs,
    { ...data, title, body, isReady },
    dryRunLines(plan, { way, withTaskList }, needs.output.hint),
  )
}

async function push(needs: Needs, plan: PrPlan, flags: PrFlags): Promise<Outcome> {
  const { objectsPath, jobId } = plan.proposal
  const { forge } = plan
  if (forge === undefined) return failure(noForge(plan))
  const isHere = await access(objectsPath).then(
    () => true,
    // Missing and unreadable are the same here: git can't push from it.
    () => false,
  )
  if (!isHere) return failure(notHere(plan))
  return withAnswer(needs.client.preparePullRequest(jobId, flagsOf(flags)), async (proposal) => {
    const seen = new Set(plan.proposal.warnings)
    for (const warning of proposal.warnings)
      if (!seen.has(warning)) needs.output.note(`warning: ${safeLine(warning)}`)
    const prepared = { ...plan, forge, proposal }
    const pushed = await pushPrepared(needs, prepared)
    return pushed.ok ? propose(needs, prepared, pushed.value, flags) : pushed
  })
}

async function pushPrepared(needs: Needs, plan: PrPlan): Promise<Result<boolean, Problem>> {
  const { proposal, remote, base, branch } = plan
  const { commit, baseCommit, objectsPath } = proposal
  const source = { objectsPath, commit, url: remote.url }
  await using repository = await openPushingRepository(needs.surroundings, source)
  const place = { path: repository.path, remote: safeLine(remote.name), shownUrl: safeLine(plan.shownUrl) }
  const there = await readRemoteBranches(needs.git, place, { base, branch })
  if (!there.ok) return there
  if (there.value.base === undefined) return failure(baseAbsent(plan))
  if ((await contains(needs.git, place, there.value.base, baseCommit)) === false)
    needs.output.note(`warning: ${unpushedWarning(plan)}`)
  return await pushBranch(needs.git, place, { commit, branch })
}

async function propose(needs: Needs, plan: ForgePlan, hasMoved: boolean, flags: PrFlags): Promise<Outcome> {
  const { forge, base, branch, title, proposal } = plan
  const way = await findAccess(accessNeeds(needs), forge)
  if (typeof way === 'string') return failure(notOpened(plan, way, hasMoved))
  const opened = await openPullRequest(forge, way, {
    branch,
    base,
    title,
    body: proposal.body,
    isDraft: flags.draft === true,
    isBaseGiven: flags.base !== undefined,
    isTitleGiven: flags.title !== undefined,
    pushed: pushedLine(plan, hasMoved),
  })
  if (!opened.ok) return opened
  return printResult(needs, dataOf(plan, opened.value, hasMoved), openedLines(plan, opened.value, hasMoved))
}

function dataOf({ proposal, remote, forge, branch, title }: PrPlan, opened: Opened, hasMoved: boolean) {
  const { jobId, commit, isReady } = proposal
  const { status, number, url, base } = opened
  const where = { remote: remote.name, forge: forge?.kind, branch, commit, hasMoved, baseBranch: base }
  return { status, jobId, number, url, title, ...where, isReady }
}

function flagsOf({ withTaskList, withUncommitted }: PrFlags) {
  return { withTaskList, withUncommitted }
}

function accessNeeds({ surroundings, git }: Needs) {
  return { environment: surroundings.environment, version: surroundings.version, signal: git.signal }
}
