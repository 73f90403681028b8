import type { Approval } from '../../domain/approval/approval.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { StoredEvent } from '../../domain/event/job-event.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobDocument } from '../../domain/job/job-document.ts'
import type { ConfigurationFailure } from '../../domain/job/start-failure.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Report } from '../../domain/report/report.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { Merge } from '../landing/merge/merge.ts'
import { readMerge } from '../landing/merge/read-merge.ts'
import {
  type ApprovalsInput,
  type ApprovalView,
  listApprovals,
  showApproval,
  viewApproval,
} from './approvals.ts'
import { type CyclesInput, type CycleView, listCycles, showCycle } from './cycles.ts'
import { type DiffInput, showDiff } from './diff/diff.ts'
import type { DiffFailure, WorkDiff } from './diff/work-diff.ts'
import { type DocumentsInput, listDocuments } from './documents.ts'
import { type JobEventsInput, listJobEvents, listSessionEvents, type SessionEventsInput } from './events.ts'
import {
  type ApprovalNotFound,
  findJob,
  findSession,
  type JobNotFound,
  type NotFound,
  type SessionNotFound,
} from './find-record.ts'
import { type JobView, showJob, viewJob } from './job.ts'
import { type JobSummary, type JobsInput, listJobs } from './jobs.ts'
import { type LandingsInput, type LandingView, listLandings } from './landings.ts'
import { listMessages, type MessagesInput } from './messages.ts'
import { type Page, type PageInput, pageOf } from './page.ts'
import { listProviders, type ProviderView } from './providers.ts'
import { listReports, type ReportsInput } from './report/list-reports.ts'
import {
  findTerminal,
  listSessions,
  mayCall,
  type SessionsInput,
  type SessionView,
  showSession,
  viewSession,
} from './sessions.ts'
import { type StatusView, showStatus } from './status.ts'
import { listTasks, showTask, type TasksInput, type TaskView } from './tasks.ts'

export type AgentsView = Pick<Configuration, 'agents' | 'checks' | 'planner' | 'worker'>

type Found<View, Failure> = Promise<Result<View, Failure>>

/**
 * Everything that can be asked about the work; each question is one use case of this folder, bound to its needs.
 *
 * Contract: a query changes nothing. It takes ids as text, and text that is no id names nothing that exists.
 */
export interface Queries {
  status(): Promise<StatusView>
  projects(input: PageInput): Promise<Page<Project>>
  jobs(input: JobsInput): Promise<Page<JobSummary>>
  job(id: string): Found<JobView, JobNotFound>
  documents(input: DocumentsInput): Found<Page<JobDocument>, JobNotFound>
  cycles(input: CyclesInput): Found<Page<Cycle>, JobNotFound>
  cycle(input: { readonly job: string; readonly number: number }): Found<CycleView, JobNotFound | NotFound>
  tasks(input: TasksInput): Found<Page<Task>, JobNotFound>
  task(id: string): Found<TaskView, NotFound>
  landings(input: LandingsInput): Found<Page<LandingView>, JobNotFound>
  sessions(input: SessionsInput): Found<Page<SessionView>, JobNotFound>
  session(id: string): Found<SessionView, SessionNotFound>
  approvals(input: ApprovalsInput): Found<Page<ApprovalView>, JobNotFound | SessionNotFound>
  approval(id: string): Found<ApprovalView, ApprovalNotFound>
  messages(input: MessagesInput): Promise<Page<Message>>
  events(input: JobEventsInput): Found<readonly StoredEvent[], JobNotFound>
  sessionEvents(input: SessionEventsInput): Found<readonly StoredEvent[], SessionNotFound>
  reports(input: ReportsInput): Found<readonly Report[], JobNotFound | NotFound>
  diff(input: DiffInput): Found<WorkDiff, DiffFailure>
  /** How far bringing a job's work into its base branch has got. */
  merge(job: string): Found<Merge, JobNotFound>
  /** The agents that are configured for a repository. */
  agents(repositoryPath: string): Found<AgentsView, ConfigurationFailure>
  providers(input: { readonly withModels: boolean }): Promise<readonly ProviderView[]>

  /** The record alone, for those who follow its events. */
  findJob(id: string): Found<Job, JobNotFound>
  findSession(id: string): Found<Session, SessionNotFound>
  /** The views of records that a command has just returned. */
  viewJob(job: Job): Promise<JobView>
  viewSession(session: Session): Promise<SessionView>
  viewApproval(approval: Approval): Promise<ApprovalView>
  /** The terminal of a session's current process, if it has one. */
  terminal(sessionId: SessionId): Promise<HostId | undefined>
  /** Whether a session's agent may call Muster. */
  mayCall(sessionId: SessionId): Promise<boolean>
}

export type QueryNeeds = Pick<
  EngineNeeds,
  'store' | 'branches' | 'history' | 'commits' | 'clock' | 'settings' | 'configuration' | 'providers'
> & { readonly feed: EventFeed }

export function createQueries(needs: QueryNeeds): Queries {
  return {
    status: () => showStatus(needs),
    projects: async (input) => pageOf(await needs.store.read.projects.list(), input),
    jobs: (input) => listJobs(needs, input),
    job: (id) => showJob(needs, id),
    documents: (input) => listDocuments(needs, input),
    cycles: (input) => listCycles(needs, input),
    cycle: (input) => showCycle(needs, input),
    tasks: (input) => listTasks(needs, input),
    task: (id) => showTask(needs, id),
    landings: (input) => listLandings(needs, input),
    sessions: (input) => listSessions(needs, input),
    session: (id) => showSession(needs, id),
    approvals: (input) => listApprovals(needs, input),
    approval: (id) => showApproval(needs, id),
    messages: (input) => listMessages(needs, input),
    events: (input) => listJobEvents(needs, input),
    sessionEvents: (input) => listSessionEvents(needs, input),
    reports: (input) => listReports(needs, input),
    diff: (input) => showDiff(needs, input),
    async merge(id) {
      const job = await findJob(needs, id)
      return job.ok ? success(await readMerge(needs, job.value)) : job
    },
    agents: (repositoryPath) => needs.configuration.read(repositoryPath),
    providers: (input) => listProviders(needs, input),
    findJob: (id) => findJob(needs, id),
    findSession: (id) => findSession(needs, id),
    viewJob: (job) => viewJob(needs, job),
    viewSession: (session) => viewSession(needs, session),
    viewApproval: (approval) => viewApproval(needs, approval),
    terminal: (sessionId) => findTerminal(needs, sessionId),
    mayCall: (sessionId) => mayCall(needs, sessionId),
  }
}
