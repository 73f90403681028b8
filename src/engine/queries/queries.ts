import { success } from '../../domain/result.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { SessionHost } from '../../ports/session-host.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readMerge } from '../landing/merge/read-merge.ts'
import { readProposal } from '../landing/proposal/prepare-proposal.ts'
import { listAgents } from './agents.ts'
import { listRules, viewRule } from './approval-rules.ts'
import { listApprovals, showApproval, viewApproval } from './approvals.ts'
import { showBase } from './base.ts'
import { listCycles, showCycle } from './cycles.ts'
import { compareRuns } from './diff/compare-runs.ts'
import { showDiff } from './diff/diff.ts'
import type { DiffNeeds } from './diff/work-diff.ts'
import { listDocuments } from './documents.ts'
import { listJobEvents, listSessionEvents } from './events.ts'
import { findJob, findSession } from './find-record.ts'
import { forecastPlaybook } from './forecast.ts'
import { hasLiveWork } from './has-live-work.ts'
import { showJob, viewJob } from './job.ts'
import { listJobs } from './jobs.ts'
import { listLandings } from './landings.ts'
import { listMessages, showMessage } from './messages.ts'
import { findNames } from './names.ts'
import { type PageInput, pageOf } from './page.ts'
import { listProviders } from './providers.ts'
import { listReports } from './report/list-reports.ts'
import { showRunResult } from './run-result.ts'
import { listArtifacts, listDecisions, listFindings } from './run-results.ts'
import { listRuns, showRun, showRunPlaybook, viewRun } from './runs.ts'
import { findTerminal, listSessions, mayCall, showSession, viewSession } from './sessions.ts'
import { showStatus } from './status.ts'
import { listTasks, showTask } from './tasks.ts'

export type QueryNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'commits'
  | 'clock'
  | 'settings'
  | 'configuration'
  | 'providers'
  | 'disk'
  | 'playbooks'
> &
  Pick<DiffNeeds, 'trees'> & { readonly feed: EventFeed; readonly host: Pick<SessionHost, 'trySandbox'> }

export type Queries = ReturnType<typeof createQueries>

/**
 * Everything that can be asked about the work. Each query is a use case of this folder.
 *
 * Contract: a query changes nothing. It takes ids as text; text that is not an id matches nothing.
 */
export function createQueries(needs: QueryNeeds) {
  const ask =
    <Input, View>(query: (needs: QueryNeeds, input: Input) => View) =>
    (input: Input) =>
      query(needs, input)
  return {
    status: () => showStatus(needs),
    projects: async (input: PageInput) => pageOf(await needs.store.read.projects.list(), input),
    names: ask(findNames),
    jobs: ask(listJobs),
    job: ask(showJob),
    base: ask(showBase),
    documents: ask(listDocuments),
    cycles: ask(listCycles),
    cycle: ask(showCycle),
    tasks: ask(listTasks),
    task: ask(showTask),
    landings: ask(listLandings),
    runs: ask(listRuns),
    run: ask(showRun),
    runPlaybook: ask(showRunPlaybook),
    runResult: ask(showRunResult),
    compareRuns: ask(compareRuns),
    findings: ask(listFindings),
    artifacts: ask(listArtifacts),
    decisions: ask(listDecisions),
    forecast: ask(forecastPlaybook),
    sessions: ask(listSessions),
    session: ask(showSession),
    approvals: ask(listApprovals),
    approval: ask(showApproval),
    approvalRules: ask(listRules),
    messages: ask(listMessages),
    message: ask(showMessage),
    events: ask(listJobEvents),
    sessionEvents: ask(listSessionEvents),
    reports: ask(listReports),
    diff: ask(showDiff),
    /** The state of a job's merge into its base branch. */
    async merge(id: string) {
      const job = await findJob(needs, id)
      return job.ok ? success(await readMerge(needs, job.value)) : job
    },
    /** What a pull request of a job would contain now. */
    async proposal(id: string) {
      const job = await findJob(needs, id)
      return job.ok ? await readProposal(needs, job.value) : job
    },
    agents: ask(listAgents),
    providers: ask(listProviders),
    /** The record alone, for event streams. */
    findJob: ask(findJob),
    findSession: ask(findSession),
    hasLiveWork: ask(hasLiveWork),
    /** The views of records that a command has just returned. */
    viewJob: ask(viewJob),
    viewRun: ask(viewRun),
    viewSession: ask(viewSession),
    viewApproval: ask(viewApproval),
    viewRule: ask(viewRule),
    terminal: ask(findTerminal),
    mayCall: ask(mayCall),
  }
}
