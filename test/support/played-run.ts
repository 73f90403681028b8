import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCommandProvider } from '../../src/adapters/agents/command/command-provider.ts'
import { createLocalHost } from '../../src/adapters/hosts/local/create-local-host.ts'
import { createFolderPlaybooks } from '../../src/adapters/playbooks/folder/folder-playbooks.ts'
import { createPostgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../src/domain/attempt/attempt.ts'
import type { RunId } from '../../src/domain/id.ts'
import type { Job, JobPlan } from '../../src/domain/job/job.ts'
import { hasFormat } from '../../src/domain/playbook/has-format.ts'
import type { Outcome } from '../../src/domain/playbook/outcome.ts'
import type { Playbook } from '../../src/domain/playbook/playbook.ts'
import type { RoleStage, Stage } from '../../src/domain/playbook/stage.ts'
import { chooseCast } from '../../src/domain/run/choose-cast.ts'
import { readInputs } from '../../src/domain/run/read-inputs.ts'
import type { Run, RunInputs } from '../../src/domain/run/run.ts'
import { isVisitOpen, type Visit } from '../../src/domain/run/visit.ts'
import { endingOf } from '../../src/domain/session/ending.ts'
import type { Session } from '../../src/domain/session/session.ts'
import type { SessionEnd } from '../../src/domain/session/session-state.ts'
import { decideApproval, expireApproval } from '../../src/engine/approvals/decide-approval.ts'
import { settleAttempt } from '../../src/engine/attempts/settle-attempt.ts'
import type { EngineNeeds } from '../../src/engine/engine-needs.ts'
import { AgentProviderRegistry } from '../../src/engine/providers/agent-provider-registry.ts'
import { createAssignments } from '../../src/engine/roles/assignments.ts'
import { advanceVisit } from '../../src/engine/runs/advance-visit.ts'
import { continueRun } from '../../src/engine/runs/continue-run.ts'
import { startRun } from '../../src/engine/runs/start-run.ts'
import { treeOf } from '../../src/engine/trees/tree-of.ts'
import type { PlaybookFolder } from '../../src/ports/playbook-source.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { openEngineWorld } from './engine-world.ts'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  ids,
  storeExampleJob,
} from './example-records.ts'
import { silentLog } from './silent-log.ts'
import { take } from './take.ts'
import type { TestRepository } from './test-repository.ts'

/** How the trial ends a visit: the outcome of an agent, of the checks or of a person, and what an agent answers. */
export type Move = {
  readonly outcome: Outcome
  readonly answer?: object
  /** How the session of an agent that fails ends; without it, its program exits with 1. */
  readonly end?: SessionEnd
  /** Does something in the agent's tree before the agent ends. */
  readonly inTree?: (directory: string) => Promise<void>
}

/** Decides how a visit of a stage ends. */
export type Player = (visit: Visit, stage: Stage) => Move

export type RunPlay = AsyncDisposable & {
  /** Starts a run of a playbook, in a job with this plan. */
  start(folder: PlaybookFolder, inputs?: RunInputs, plan?: Partial<JobPlan>): Promise<TestRun>
}

export type TestRun = {
  readonly id: RunId
  readonly needs: Needs
  /** Moves the clock that the engine sees. */
  pass(ms: number): void
  /** Ends one open visit. */
  end(visit: Visit, move: Move): Promise<void>
  /** Ends open visits as the player says, until the run has ended or asks about its work. */
  play(player: Player): Promise<PlayedRun>
}

export type PlayedRun = { readonly run: Run; readonly visits: readonly Visit[] }

type Needs = Parameters<typeof createAssignments>[0] &
  Pick<EngineNeeds, 'assignments' | 'adoptSession' | 'branches' | 'commits' | 'pins' | 'log'>

type World = {
  readonly needs: Needs
  readonly repository: TestRepository
  /** Moves the clock that the engine sees. */
  pass(ms: number): void
}

/** Longer than any wait before a visit is tried again. */
const WAIT_MS = 60_000

/**
 * The engine's runs on a real store, a real hub and a real repository. No program is started: the trial itself gives the
 * answers of agents, changes their trees, ends the checks and decides at gates.
 */
export async function openRunPlay(): Promise<RunPlay> {
  const world = await openEngineWorld({ 'base.txt': 'base\n' })
  const { database, home, hub, repository, settings } = world
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  let now = Date.now()
  const parts = {
    store,
    ...hub,
    host: await createLocalHost({ hostsDirectory: home.hosts }),
    providers: new AgentProviderRegistry([createCommandProvider()], 'command'),
    playbooks: createFolderPlaybooks({ shipped: 'playbooks' }),
    clock: { now: () => new Date(now) },
    ids,
    log: silentLog,
    crash: { reach: () => undefined },
    settings: { ...settings, freeMemoryMb: () => 1_000_000, random: () => 0.5 },
    wakeAt: () => undefined,
    sendWork: async () => undefined,
    adoptSession: () => undefined,
  }
  const needs: Needs = { ...parts, assignments: createAssignments(parts) }
  const pass = (ms: number): void => {
    now += ms
  }
  return {
    start: (folder, inputs = {}, plan = {}) => start({ needs, repository, pass }, folder, inputs, plan),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const AGENTS = [
  { name: 'one', provider: 'command', roles: ['worker', 'planner'], env: [] },
  { name: 'two', provider: 'command', roles: ['reviewer'], env: [] },
]

async function start(
  world: World,
  folder: PlaybookFolder,
  given: RunInputs,
  plan: Partial<JobPlan>,
): Promise<TestRun> {
  const { needs } = world
  const { playbook, hash, files } = folder
  const job = await openJob(world, plan)
  const inputs = take(readInputs(playbook, given))
  const task = exampleTask(exampleCycle(job), {
    playbook: { name: playbook.name, hash, inputs },
    origin: { type: 'given' },
  })
  const cycle = exampleCycle(job, { id: task.cycleId })
  const cast = take(chooseCast(playbook, { agents: AGENTS, roles: {} }))
  await needs.store.withJob(job.id, async (records, locked) => {
    await records.pinnedPlaybooks.pin({ hash, name: playbook.name, playbook, files })
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
    const { name } = playbook
    const goal = 'write a line'
    await startRun(needs, records, {
      job: locked,
      task,
      playbook: { name, hash },
      goal,
      inputs,
      cast,
      head: job.baseCommit,
    })
  })
  const [run] = await needs.store.read.runs.listOfJob(job.id)
  if (run === undefined) throw new Error('no run has started')
  return {
    id: run.id,
    needs,
    pass: world.pass,
    end: (visit, move) => end(world, job, visit, stageOf(playbook, visit), move),
    play: (player) => play(world, job, run.id, folder, player),
  }
}

async function openJob({ needs, repository }: World, plan: Partial<JobPlan>): Promise<Job> {
  const projectId = ids.next('project')
  const source = take(await needs.branches.inspectSource(repository.path))
  const baseCommit = take(await needs.branches.importBase(projectId, source, 'main')).commit
  const job = await storeExampleJob(needs.store, {
    projectId,
    repositoryPath: repository.path,
    baseCommit,
    state: { type: 'running', pausing: false },
    currentCycle: 1,
    plan: { ...exampleJob().plan, agents: AGENTS, checks: ['a check'], ...plan },
  })
  take(await needs.branches.move(projectId, job.workingBranch, baseCommit, undefined))
  return job
}

async function play(
  world: World,
  job: Job,
  runId: RunId,
  { playbook }: PlaybookFolder,
  player: Player,
): Promise<PlayedRun> {
  const { needs } = world
  for (;;) {
    const visits = await needs.store.read.visits.listOfRun(runId)
    const run = await needs.store.read.runs.find(runId)
    if (run === undefined) throw new Error(`run ${runId} is gone`)
    if (run.state.type !== 'running') return { run, visits }
    for (const visit of visits.filter(isVisitOpen)) {
      const stage = stageOf(playbook, visit)
      await end(world, job, visit, stage, player(visit, stage))
    }
    // What waits to be tried again has its turn.
    world.pass(WAIT_MS)
    await continueRun(needs, runId)
  }
}

function stageOf({ stages }: Playbook, visit: Visit): Stage {
  const stage = stages[visit.stage]
  if (stage === undefined) throw new Error(`there is no stage ${visit.stage}`)
  return stage
}

async function end(world: World, job: Job, visit: Visit, stage: Stage, move: Move): Promise<void> {
  if (visit.state.type === 'asking') return await decide(world, visit, move)
  if (visit.state.type === 'checking') return await endCheck(world, job, visit, move)
  if (visit.state.type !== 'working' || stage.type !== 'role') return
  return await endAttempt(world, job, visit, stage, move)
}

async function decide({ needs, pass }: World, visit: Visit, { outcome }: Move): Promise<void> {
  if (visit.state.type !== 'asking') return
  const { approvalId } = visit.state
  if (outcome === 'expired') {
    pass(100 * 3_600_000)
    return await expireApproval(needs, approvalId)
  }
  const type = outcome === 'allowed' ? ('approval-allow' as const) : ('approval-deny' as const)
  take(await decideApproval(needs, approvalId, { type, by: 'ada' }))
}

async function endCheck({ needs }: World, job: Job, visit: Visit, { outcome }: Move): Promise<void> {
  const { store, trees } = needs
  if (visit.state.type !== 'checking') return
  const session = await store.read.sessions.find(visit.state.sessionId)
  if (session === undefined || visit.commit === undefined) throw new Error(`visit ${visit.id} checks nothing`)
  const directory = treeOf(needs, visit.id)
  const isPassed = outcome === 'pass'
  // Whether a check changed its tree only matters if it passed.
  if (isPassed) {
    const { projectId: project } = job
    await trees.remove(directory)
    take(await trees.open({ project, directory, commit: visit.commit, branch: 'check' }))
  }
  await endSession(store, session, { type: 'exited', code: isPassed ? 0 : 1 })
  await advanceVisit(needs, visit.id)
}

let lines = 0

async function endAttempt(
  { needs }: World,
  job: Job,
  visit: Visit,
  stage: RoleStage,
  { outcome, answer = {}, end, inTree }: Move,
): Promise<void> {
  const { store, trees } = needs
  const attempt = visit.attemptId === undefined ? undefined : await store.read.attempts.find(visit.attemptId)
  const session = attempt === undefined ? undefined : await store.read.sessions.find(attempt.sessionId)
  if (attempt === undefined || session === undefined) throw new Error(`visit ${visit.id} has no attempt`)
  const directory = treeOf(needs, attempt.id)
  const isLost = outcome === 'failed'
  // Whoever changes nothing needs no tree.
  if (hasFormat(stage.output, 'change')) {
    const commit = attempt.baseCommit ?? job.baseCommit
    take(await trees.open({ project: job.projectId, directory, commit, branch: 'work' }))
    lines += 1
    if (!isLost) await writeFile(join(directory, `${visit.stage}.txt`), `line ${lines}\n`)
    await inTree?.(directory)
  }
  const exit: SessionEnd = end ?? { type: 'exited', code: isLost ? 1 : 0 }
  await endSession(store, session, exit, isLost ? undefined : JSON.stringify({ type: 'result', ...answer }))
  const ending = isLost ? endingOf(exit, true) : 'done'
  const ended: Attempt = { ...attempt, state: { type: 'ended', end: exit, ending } }
  await store.transact((records) => records.attempts.save(ended, exampleChange()))
  await settleAttempt(needs, attempt.id)
  await trees.remove(directory)
}

/** Ends a session. `text`: what its agent said last. */
async function endSession(store: Store, session: Session, end: SessionEnd, text?: string): Promise<void> {
  const { id: sessionId, conversation, outOffset, errOffset } = session
  const turn = text === undefined ? {} : { turn: { type: 'done' as const, text } }
  const heard = {
    sessionId,
    fromOut: outOffset,
    toOut: outOffset + 1,
    fromErr: errOffset,
    toErr: errOffset,
    events: [],
    conversation: { ...conversation, ...turn },
  }
  await store.transact(async (records) => {
    await records.sessions.advance([heard])
    const current = (await records.sessions.find(sessionId)) ?? session
    await records.sessions.save({ ...current, state: { type: 'terminated', end } }, exampleChange())
  })
}
