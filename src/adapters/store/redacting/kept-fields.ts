import type { Approval } from '../../../domain/approval/approval.ts'
import type { ApprovalRule } from '../../../domain/approval/approval-rule.ts'
import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { Baseline } from '../../../domain/baseline/baseline.ts'
import type { Cycle } from '../../../domain/cycle/cycle.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { JobDocument } from '../../../domain/job/job-document.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { Message, WholeBody } from '../../../domain/message/message.ts'
import type { Run } from '../../../domain/run/run.ts'
import type { Visit } from '../../../domain/run/visit.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionInput } from '../../../domain/session/session-input.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { RuleSubject } from '../../../ports/store/approval-rule-records.ts'
import type { Deletion } from '../../../ports/store/deletion-records.ts'
import type { NameSearch } from '../../../ports/store/name-records.ts'
import type { PinnedPlaybook } from '../../../ports/store/pinned-playbook-records.ts'
import type { Project } from '../../../ports/store/project-records.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { TrustedConfiguration } from '../../../ports/store/trust-records.ts'

/** What the functions of each group take: its rows, and what else the engine looks for or sends with them. */
type Rows = {
  readonly projects: Project
  readonly jobs: Job
  readonly cycles: Cycle
  readonly tasks: Task
  readonly attempts: Attempt
  readonly sessions: Session | SessionInput
  readonly landings: Landing
  readonly candidates: Candidate
  readonly baselines: Baseline
  readonly pinnedPlaybooks: PinnedPlaybook
  readonly runs: Run
  readonly visits: Visit
  readonly documents: JobDocument
  readonly approvals: Approval
  readonly approvalRules: ApprovalRule | RuleSubject
  readonly messages: Message | WholeBody | Session
  readonly trust: TrustedConfiguration
  readonly names: NameSearch
  readonly deletions: Deletion
}

type NamesIn<Row> = Row extends object ? Extract<keyof Row, string> : never
type FieldOf<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : never) : never
type KeptIn<Row> = {
  readonly [Name in NamesIn<Row>]?:
    | true
    | readonly NamesIn<FieldOf<Row, Name>>[]
    | { readonly except: readonly [outer: NamesIn<FieldOf<Row, Name>>, inner: string] }
}

/**
 * The fields that are stored unchanged, by group: `true` for the whole field, the names of what is kept inside it, or
 * the path of the one thing inside it that isn't kept. Every other field is redacted, and so is a field of the same name deeper inside, which may come from an agent.
 */
export const KEPT_FIELDS: { readonly [Noun in Exclude<keyof Records, 'note'>]: KeptIn<Rows[Noun]> } = {
  projects: { path: true, name: true },
  jobs: {
    userId: true,
    repositoryPath: true,
    baseBranch: true,
    baseCommit: true,
    workingBranch: true,
    // What a person gives a playbook is text like the goal. No program is started with it.
    plan: { except: ['approach', 'inputs'] },
    state: ['type'],
  },
  cycles: {},
  tasks: {
    agent: true,
    playbook: ['name', 'hash', 'children'],
    branch: true,
    files: true,
    filesModified: true,
    commitsMade: true,
    state: ['type', 'commit', 'paths'],
  },
  attempts: {
    purpose: true,
    role: true,
    admittedAs: true,
    agent: true,
    continues: true,
    baseCommit: true,
    tip: true,
    state: ['type'],
  },
  sessions: {
    purpose: true,
    agentName: true,
    provider: true,
    role: true,
    admittedAs: true,
    state: ['type', 'resume'],
    conversation: ['dialogue', 'lastInput', 'providerSessionId'],
    // An input must reach the program unchanged.
    type: true,
    text: true,
    requestId: true,
    decision: true,
  },
  landings: { branch: true, tip: true, state: ['type', 'commit', 'tree', 'paths'] },
  candidates: { branch: true, purpose: true, onto: true, commit: true, tree: true, state: ['type'] },
  baselines: {
    repositoryPath: true,
    commit: true,
    tree: true,
    digest: true,
    checks: true,
    setup: true,
    copy: true,
    sandbox: true,
    state: ['type'],
  },
  // A prompt must reach its agent unchanged, and its hash must fit.
  pinnedPlaybooks: { hash: true, name: true, playbook: true, files: true },
  runs: {
    origin: true,
    playbook: true,
    cast: true,
    baseCommit: true,
    continues: true,
    children: true,
    counters: true,
    state: ['type', 'end', 'work'],
  },
  visits: { stage: true, inputs: true, taken: true, commit: true, work: true, state: ['type', 'outcome'] },
  documents: {},
  approvals: { digest: true, state: ['type'] },
  approvalRules: { digest: true },
  // A session is looked for by the names that address it.
  messages: { agentName: true, role: true, senderRole: true, recipientRole: true, state: ['type'] },
  trust: { path: true, digest: true, parts: true },
  names: {},
  deletions: { repositoryPath: true, workingBranch: true },
}
