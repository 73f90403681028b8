import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { createHub } from '../../src/adapters/git/hub/create-hub.ts'
import { createLocalHost } from '../../src/adapters/hosts/local/create-local-host.ts'
import { openDatabase } from '../../src/adapters/store/postgres/database.ts'
import { createPostgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { engineSettings } from '../../src/daemon/engine-settings.ts'
import { openHome } from '../../src/daemon/home.ts'
import { KnownSecrets } from '../../src/daemon/secrets/known-secrets.ts'
import type { ProjectId } from '../../src/domain/id.ts'
import type { Job, JobPlan } from '../../src/domain/job/job.ts'
import type { Landing } from '../../src/domain/landing/landing.ts'
import type { Result } from '../../src/domain/result.ts'
import type { SessionEnd } from '../../src/domain/session/session-state.ts'
import type { EngineNeeds } from '../../src/engine/engine-needs.ts'
import { advanceLanding } from '../../src/engine/landing/advance-landing.ts'
import { followBase } from '../../src/engine/landing/candidate/follow-base.ts'
import type { LandingNeeds } from '../../src/engine/landing/landing-needs.ts'
import type { CrashPoint } from '../../src/ports/crash-points.ts'
import type { Work } from '../../src/ports/work-queue.ts'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  ids,
  storeExampleJob,
} from './example-records.ts'
import { silentLog } from './silent-log.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { createTestDatabase } from './test-database.ts'
import { type TestRepository, testRepository } from './test-repository.ts'

type Needs = LandingNeeds & Pick<EngineNeeds, 'adoptSession'>

export type LandingTrial = AsyncDisposable & {
  readonly needs: Needs
  /** The person's repository. Each job has a base branch of its own in it, which is not checked out. */
  readonly repository: TestRepository
  /** A directory for the marks that checks leave. */
  readonly directory: string
  /** How many candidates are checked in parallel. */
  slots: number
  /** The engine dies once, the next time it reaches this point. */
  dieAt(point: CrashPoint): void
  openQueue(plan?: Partial<JobPlan>): Promise<TestQueue>
}

export type TestQueue = {
  readonly job: Job
  /** Puts the finished work of a new task into the queue: these files on top of `parent`, or of the job's base. */
  finish(files: Readonly<Record<string, string>>, parent?: string): Promise<Landing>
  /** Does the work that was sent, until only checks, people or nothing are left to wait for. */
  advance(): Promise<void>
  /** Runs every check that waits, each in the tree of its candidate; returns how many. */
  runChecks(end?: SessionEnd): Promise<number>
  /** Advances and runs checks until nothing moves any more. */
  settle(): Promise<void>
  landings(): Promise<readonly Landing[]>
  /** The job's branch in the hub. */
  head(): Promise<string>
  /** Someone else commits to the job's branch in the hub. */
  moveHead(file: string): Promise<string>
  /** Someone else commits to the base branch in the person's repository. */
  moveBase(file: string, text?: string): Promise<string>
}

/** The merge queue on a real store, a real hub and a real repository. Checks are run by the trial itself. */
export async function openLandingTrial(): Promise<LandingTrial> {
  const directory = await temporaryDirectory('muster-landing')
  const home = await openHome(join(directory.path, 'home'))
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const work: Work[] = []
  const sendWork = async (_: unknown, sent: readonly Work[]) => () => void work.push(...sent)
  const hub = createHub({ hubsDirectory: home.hubs, gitConfigFile: home.gitConfig })
  const secrets = new KnownSecrets()
  const daemonUrl = () => 'http://127.0.0.1:1'
  const settings = engineSettings({ home, token: 'token', secrets, daemonUrl })
  const repository = await testRepository({ 'a.txt': 'a\n' })
  let death: CrashPoint | undefined
  const needs: Needs = {
    store: createPostgresStore({ database, sendWork }),
    ...hub,
    host: await createLocalHost({ hostsDirectory: home.hosts }),
    clock: { now: () => new Date() },
    ids,
    log: silentLog,
    crash: {
      reach(point) {
        if (point !== death) return
        death = undefined
        throw new Error(`died at ${point}`)
      },
    },
    settings: {
      ...settings,
      get checkSlots() {
        return trial.slots
      },
    },
    wakeAt: () => undefined,
    adoptSession: () => undefined,
  }
  const projectId = ids.next('project')
  const trial: LandingTrial = {
    needs,
    repository,
    directory: directory.path,
    slots: 1,
    dieAt: (point) => {
      death = point
    },
    openQueue: async (plan = {}) => queueOf(trial, await openJob(trial, projectId, plan), work),
    async [Symbol.asyncDispose]() {
      hub[Symbol.dispose]()
      await database.destroy()
      await repository[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
  return trial
}

export function given<Value, Failure>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}

let bases = 0

async function openJob(
  { needs, repository }: LandingTrial,
  projectId: ProjectId,
  plan: Partial<JobPlan>,
): Promise<Job> {
  const baseBranch = `base-${++bases}`
  await repository.git('branch', baseBranch)
  const source = given(await needs.branches.inspectSource(repository.path))
  const baseCommit = given(await needs.branches.importBase(projectId, source, baseBranch)).commit
  const job = await storeExampleJob(needs.store, {
    projectId,
    repositoryPath: repository.path,
    baseBranch,
    baseCommit,
    state: { type: 'running', pausing: false },
    currentCycle: 1,
    plan: { ...exampleJob().plan, ...plan },
  })
  given(await needs.branches.move(projectId, job.workingBranch, baseCommit, undefined))
  await needs.store.transact((records) => records.cycles.insert(exampleCycle(job), exampleChange()))
  return job
}

function queueOf(trial: LandingTrial, job: Job, work: Work[]): TestQueue {
  const { needs } = trial
  const { projectId, workingBranch } = job
  const head = async () => (await needs.branches.tip(projectId, workingBranch)) ?? ''
  const queue: TestQueue = {
    job,
    head,
    finish: (files, parent) => finishTask(trial, job, files, parent),
    async advance() {
      work.push({ type: 'landing-advance', jobId: job.id })
      for (;;) {
        const next = work.find((item) => 'jobId' in item && item.jobId === job.id && item.type in HANDLERS)
        if (next === undefined) return
        // Work stays in the queue until its handler has returned, so a death hands it out again.
        await HANDLERS[next.type as keyof typeof HANDLERS](needs, job.id)
        work.splice(work.indexOf(next), 1)
      }
    },
    runChecks: (end) => runChecks(trial, job, end),
    async settle() {
      do await queue.advance()
      while ((await runChecks(trial, job)) > 0)
    },
    landings: () => needs.store.read.landings.listOfJob(job.id),
    async moveHead(file) {
      const before = await head()
      const commit = given(
        await needs.commits.commitFiles(projectId, before, { [file]: 'outside\n' }, `add ${file}`),
      )
      given(await needs.branches.move(projectId, workingBranch, commit, before))
      return commit
    },
    moveBase: (file, text = 'theirs') => moveBase(trial, job, file, text),
  }
  return queue
}

const HANDLERS = { 'landing-advance': advanceLanding, 'base-follow': followBase }

async function finishTask(
  { needs }: LandingTrial,
  job: Job,
  files: Readonly<Record<string, string>>,
  parent = job.baseCommit,
): Promise<Landing> {
  const { store, commits } = needs
  const tip = given(await commits.commitFiles(job.projectId, parent, files, 'the work of a task'))
  const cycle = (await store.read.cycles.listOf(job.id)).at(-1) ?? exampleCycle(job)
  const number = (await store.read.tasks.listOfJob(job.id)).length + 1
  const landingId = ids.next('landing')
  const filesModified = Object.keys(files)
  const task = exampleTask(cycle, { number, filesModified, state: { type: 'landing', landingId } })
  const attemptId = ids.next('attempt')
  const landing: Landing = {
    id: landingId,
    jobId: job.id,
    taskId: task.id,
    attemptId,
    branch: job.workingBranch,
    tip,
    state: { type: 'queued' },
    checks: [],
    batchLimit: 64,
    version: 1,
    createdAt: new Date(),
  }
  await store.transact(async (records) => {
    await records.tasks.insertAll([task], exampleChange())
    await records.attempts.insert(
      {
        id: attemptId,
        jobId: job.id,
        purpose: { type: 'task', taskId: task.id },
        role: 'worker',
        number: 1,
        agent: { name: 'one', provider: 'command', roles: ['worker'], env: {} },
        sessionId: ids.next('session'),
        state: { type: 'settled', outcome: { type: 'accepted' } },
        tip,
        handoffs: [],
        version: 1,
        createdAt: new Date(),
      },
      exampleChange(),
    )
    await records.landings.insert(landing, exampleChange())
  })
  return landing
}

async function runChecks(trial: LandingTrial, job: Job, end?: SessionEnd): Promise<number> {
  const { store, trees, settings } = trial.needs
  let ran = 0
  for (const { id, state, commit } of await store.read.candidates.listOpen(job.id)) {
    const session = state.type === 'checking' ? await store.read.sessions.find(state.sessionId) : undefined
    if (state.type !== 'checking' || session?.state.type !== 'starting') continue
    const directory = `${settings.treesDirectory}/${id}`
    if (session.purpose.type === 'check' && session.purpose.isFresh) await trees.remove(directory)
    given(await trees.open({ project: job.projectId, directory, commit, branch: 'muster-check' }))
    const exit = end ?? (await run(job.plan.checks[state.checkIndex] ?? '', directory))
    await store.transact((records) =>
      records.sessions.save({ ...session, state: { type: 'terminated', end: exit } }, exampleChange()),
    )
    ran += 1
  }
  return ran
}

function run(command: string, cwd: string): Promise<SessionEnd> {
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', command], { cwd })
    child.on('close', (code) => resolve({ type: 'exited', code: code ?? 1 }))
  })
}

/** Without touching the checkout. */
async function moveBase(
  { repository, needs }: LandingTrial,
  { projectId, baseBranch, repositoryPath }: Job,
  file: string,
  text: string,
): Promise<string> {
  const before = await repository.git('rev-parse', baseBranch)
  const files = { [file]: `${text}\n` }
  const source = given(await needs.branches.inspectSource(repositoryPath))
  given(await needs.branches.importBase(projectId, source, baseBranch))
  const commit = given(await needs.commits.commitFiles(projectId, before, files, `change ${file}`))
  given(await needs.branches.deliver(projectId, repositoryPath, baseBranch, commit, before))
  return commit
}
