import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalHost } from '../../src/adapters/hosts/local/create-local-host.ts'
import { createPostgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { ProjectId } from '../../src/domain/id.ts'
import type { Job, JobPlan } from '../../src/domain/job/job.ts'
import type { Landing } from '../../src/domain/landing/landing.ts'
import type { SessionEnd } from '../../src/domain/session/session-state.ts'
import type { EngineNeeds } from '../../src/engine/engine-needs.ts'
import { advanceLanding } from '../../src/engine/landing/advance-landing.ts'
import { followBase } from '../../src/engine/landing/candidate/follow-base.ts'
import type { LandingNeeds } from '../../src/engine/landing/landing-needs.ts'
import type { CrashPoint } from '../../src/ports/crash-points.ts'
import type { Work } from '../../src/ports/work-queue.ts'
import { openEngineWorld } from './engine-world.ts'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  ids,
  storeExampleJob,
} from './example-records.ts'
import { silentLog } from './silent-log.ts'
import { take as given } from './take.ts'
import type { TestRepository } from './test-repository.ts'

export { given }

type Needs = LandingNeeds & Pick<EngineNeeds, 'adoptSession'>

export type LandingTrial = AsyncDisposable & {
  readonly needs: Needs
  /** The person's repository. Each job has its own base branch in it, which is not checked out. */
  readonly repository: TestRepository
  /** Where checks leave marks. */
  readonly directory: string
  /** How many candidates are checked at the same time. */
  slots: number
  /** The engine dies once, the next time it reaches this point. */
  dieAt(point: CrashPoint): void
  openQueue(plan?: Partial<JobPlan>): Promise<TestQueue>
}

export type TestQueue = {
  readonly job: Job
  /** Queues the finished work of a new task: these files on top of `parent`, or of the job's base. */
  finish(
    files: Readonly<Record<string, string>>,
    parent?: string,
    unusual?: readonly string[],
  ): Promise<Landing>
  /** Does the work that was sent, until the queue waits for a check, for a person or for nothing. */
  advance(): Promise<void>
  /** Runs every waiting check in the tree of its candidate. Returns how many. */
  runChecks(end?: SessionEnd): Promise<number>
  /** Advances and runs checks until nothing changes any more. */
  settle(): Promise<void>
  landings(): Promise<readonly Landing[]>
  /** The job's branch in the hub. */
  head(): Promise<string>
  /** Someone else commits to the job's branch in the hub. */
  moveHead(file: string): Promise<string>
  /** Someone else commits to the base branch in the person's repository. */
  moveBase(file: string, text?: string): Promise<string>
}

/** The merge queue on a real store, a real hub and a real repository. The trial itself runs the checks. */
export async function openLandingTrial(): Promise<LandingTrial> {
  const world = await openEngineWorld({ 'a.txt': 'a\n' })
  const { database, home, hub, repository, settings } = world
  const marks = join(home.directory, 'marks')
  await mkdir(marks)
  const work: Work[] = []
  const sendWork = async (_: unknown, sent: readonly Work[]) => () => void work.push(...sent)
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
    directory: marks,
    slots: 1,
    dieAt: (point) => {
      death = point
    },
    openQueue: async (plan = {}) => queueOf(trial, await openJob(trial, projectId, plan), work),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
  return trial
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
    finish: (files, parent, unusual) => finishTask(trial, job, files, parent, unusual),
    async advance() {
      work.push({ type: 'landing-advance', jobId: job.id })
      for (;;) {
        const next = work.find((item) => 'jobId' in item && item.jobId === job.id && item.type in HANDLERS)
        if (next === undefined) return
        // Work stays in the queue until its handler has returned, so it is done again after a crash.
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
  unusual: readonly string[] = [],
): Promise<Landing> {
  const { store, commits } = needs
  const tip = given(await commits.commitFiles(job.projectId, parent, files, 'the work of a task'))
  const cycle = (await store.read.cycles.listOf(job.id)).at(-1) ?? exampleCycle(job)
  const number = (await store.read.tasks.listOfJob(job.id)).length + 1
  const landingId = ids.next('landing')
  const filesModified = Object.keys(files)
  const changes = { files: filesModified.length, added: 1, removed: 0, unusual }
  const state = { type: 'landing', landingId } as const
  const task = exampleTask(cycle, { number, filesModified, changes, state })
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
    const purpose = { type: 'task', taskId: task.id } as const
    await records.attempts.insert(exampleAttempt(job, { id: attemptId, purpose, tip }), exampleChange())
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
