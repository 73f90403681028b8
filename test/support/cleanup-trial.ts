import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalDisk } from '../../src/adapters/disk/local/local-disk.ts'
import { createPostgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../src/domain/attempt/attempt.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Landing, LandingState } from '../../src/domain/landing/landing.ts'
import type { Session } from '../../src/domain/session/session.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { EngineNeeds } from '../../src/engine/engine-needs.ts'
import { hostOf } from '../../src/engine/sessions/host-of.ts'
import type { CrashPoint } from '../../src/ports/crash-points.ts'
import type { TerminalHost } from '../../src/ports/terminal-host.ts'
import type { Work } from '../../src/ports/work-queue.ts'
import { openEngineWorld } from './engine-world.ts'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from './example-records.ts'
import { createHostTrial } from './hosts/host-trial.ts'
import { silentLog } from './silent-log.ts'

const ENDED = { type: 'completed', reason: 'goal-reached', evidence: [] } as const

/** Thrown instead of a crash. */
export class Crashed extends Error {
  override readonly name = 'Crashed'
}

/** Jobs that have ended, with work in a real hub, files of their sessions, and a person's repository. */
export async function openCleanupTrial() {
  const stack = new AsyncDisposableStack()
  const world = stack.use(await openEngineWorld())
  const hosts = stack.use(await createHostTrial())
  const { hub, repository, database, settings } = world
  const sent: Work[] = []
  const store = createPostgresStore({
    database,
    sendWork: async (_, work) => {
      sent.push(...work)
      return () => undefined
    },
  })
  const crashes = { at: undefined as CrashPoint | undefined }
  const clock = { time: new Date() }
  const needs = {
    store,
    ...hub,
    host: hosts.host,
    terminals: { remove: async () => {} } as unknown as TerminalHost,
    disk: createLocalDisk(),
    settings,
    clock: { now: () => clock.time },
    log: silentLog,
    crash: {
      reach(point: CrashPoint) {
        if (point === crashes.at) throw new Crashed(point)
      },
    },
  } satisfies Partial<EngineNeeds>

  const source = await hub.branches.inspectSource(repository.path)
  if (!source.ok) throw new Error(source.failure.type)
  const projectId = ids.next('project')
  const base = await hub.branches.importBase(projectId, source.value, undefined)
  if (!base.ok) throw new Error(base.failure.type)
  const baseCommit = base.value.commit

  /** An ended job of the repository, with a cycle. */
  const addJob = async (fields: Partial<Job> = {}): Promise<Job> => {
    const now = clock.time
    const job = await storeExampleJob(store, {
      projectId,
      baseCommit,
      repositoryPath: repository.path,
      state: ENDED,
      currentCycle: 1,
      completedAt: now,
      ...fields,
    })
    await store.transact((records) => records.cycles.insert(exampleCycle(job), exampleChange()))
    return job
  }

  /** An attempt at a new task that left a file, with its session and the session's files. */
  const addWork = async (
    job: Job,
    { task: taskFields = {}, attempt: attemptFields = {}, isPinned = true }: Fields = {},
  ) => {
    const [cycle] = await store.read.cycles.listOf(job.id)
    if (cycle === undefined) throw new Error('there is no cycle')
    const number = (await store.read.tasks.listOfJob(job.id)).length + 1
    const state = { type: 'failed', reason: 'the check failed' } as const
    const task = exampleTask(cycle, { number, state, ...taskFields })
    const file = `work-${ids.next('task')}.txt`
    const commit = await hub.commits.commitFiles(projectId, baseCommit, { [file]: 'done\n' }, 'work')
    if (!commit.ok) throw new Error(commit.failure.type)
    const attemptId = ids.next('attempt')
    const session = exampleSession(job, {
      purpose: { type: 'attempt', attemptId },
      state: { type: 'terminated', end: { type: 'exited', code: 0 } },
    })
    const outcome = { type: 'rejected', reason: 'check "npm test" exited with code 1' } as const
    const attempt = exampleAttempt(job, {
      id: attemptId,
      purpose: { type: 'task', taskId: task.id },
      sessionId: session.id,
      state: { type: 'settled', outcome },
      baseCommit,
      ...(isPinned ? { tip: commit.value } : {}),
      endedAt: clock.time,
      ...attemptFields,
    })
    await store.transact(async (records) => {
      await records.tasks.insertAll([task], exampleChange())
      await records.attempts.insert(attempt, exampleChange())
      await records.sessions.insert(session, exampleChange())
      await records.sessions.addInput(session.id, { type: 'say', text: 'hello' } as never, exampleChange())
    })
    await pin(attempt, commit.value)
    await writeFile(join(await hosts.host.prepare(hostOf(session)), 'spool'), 'output')
    return { task, attempt, session, commit: commit.value }
  }

  /** Pins a commit as collecting does: through a tree. */
  const pin = async (attempt: Attempt, commit: string) => {
    const directory = join(settings.treesDirectory, attempt.id)
    const opened = await hub.trees.open({ project: projectId, directory, commit, branch: 'muster/task' })
    if (!opened.ok) throw new Error(opened.failure.type)
    const collected = await hub.trees.collect({
      project: projectId,
      attemptId: attempt.id,
      directory,
      base: commit,
      message: 'left',
    })
    if (!collected.ok) throw new Error(collected.failure.type)
    await hub.trees.remove(directory)
  }

  /** Lands an attempt's work on the job's branch. */
  const land = async (job: Job, work: { task: Task; attempt: Attempt; commit: string }) => {
    const from = await hub.branches.tip(projectId, job.workingBranch)
    const moved = await hub.branches.move(projectId, job.workingBranch, work.commit, from)
    if (!moved.ok) throw new Error(moved.failure.type)
    const tree = (await hub.history.treeOf(projectId, work.commit)) ?? ''
    const state: LandingState = { type: 'landed', commit: work.commit, tree }
    const landing: Landing = {
      id: ids.next('landing'),
      jobId: job.id,
      taskId: work.task.id,
      attemptId: work.attempt.id,
      branch: job.workingBranch,
      tip: work.commit,
      state,
      checks: [],
      batchLimit: 64,
      version: 1,
      createdAt: clock.time,
    }
    await store.transact((records) => records.landings.insert(landing, exampleChange()))
  }

  const refs = async () => {
    const found = await hub.copies.refs(projectId)
    if (!found.ok) throw new Error(found.failure.type)
    return Object.keys(found.value).filter((ref) => !ref.startsWith('refs/muster/base/'))
  }

  await mkdir(settings.treesDirectory, { recursive: true })
  return {
    ...{ needs, database, store, hub, repository, projectId, baseCommit, hosts, sent, crashes, clock },
    ...{ addJob, addWork, land, refs },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Fields = {
  readonly task?: Partial<Task>
  readonly attempt?: Partial<Attempt>
  /** Whether the attempt's work was collected. */
  readonly isPinned?: boolean
  readonly session?: Session
}

export type CleanupTrial = Awaited<ReturnType<typeof openCleanupTrial>>
