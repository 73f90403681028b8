import type { WireEvent } from '../../../src/client/index.ts'
import { commitFile, shellProject } from '../../support/command-agents.ts'
import { type TestDaemon, type TestHome, waitForJob } from '../../support/test-daemon.ts'
import { testRepository } from '../../support/test-repository.ts'
import { type Figure, median, milliseconds, report } from '../figures.ts'
import { criticalPath, listSchedule } from './list-schedule.ts'
import { type Durations, type SimulatedTask, simulatedTasks } from './simulated-tasks.ts'
import { type TaskTimes, taskTimes } from './task-times.ts'

const COUNT = 24
const PARALLEL = 4
const SEED = 7
const AIM = 0.95
/** Much shorter than real tasks, so that they show the cost of each step. */
const BRIEF = { shortestMs: 200, longestMs: 1_500 }
/** Shorter than most real tasks, so that they show the most that a real job would lose. */
const USUAL = { shortestMs: 3_000, longestMs: 15_000 }

/** Compares a job whose agents only sleep and commit with the same agents without Muster. */
export async function benchMakespan(home: TestHome): Promise<void> {
  await using daemon = await home.start()
  const brief = await play(daemon, BRIEF)
  report(makespanOf(brief, '0.2 to 1.5 s'))
  for (const [what, part] of PARTS) {
    const samples = brief.times.map(part).filter((sample) => Number.isFinite(sample))
    report({ what: `  ${what}, p50`, figure: milliseconds(median(samples)) })
  }
  report(makespanOf(await play(daemon, USUAL), '3 to 15 s'))
}

function makespanOf(run: Run, durations: string): Figure {
  return {
    what: `makespan of ${COUNT} tasks of ${durations}, ${PARALLEL} at once`,
    figure: `${milliseconds(run.tookMs)} = ${ratioOf(run).toFixed(3)} of the bound`,
    floor: `${milliseconds(run.boundMs)} (chain ${milliseconds(criticalPath(run.worked))})`,
    aim: `bound over makespan at least ${AIM}`,
    isMet: ratioOf(run) >= AIM,
  }
}

async function play(daemon: TestDaemon, durations: Durations): Promise<Run> {
  const tasks = simulatedTasks(COUNT, SEED, durations)
  await using repository = await testRepository(simulatedProject(tasks))
  return await measure(daemon, repository.path, tasks)
}

const PARTS: readonly (readonly [string, (times: TaskTimes) => number])[] = [
  ['ready to dispatched', (times) => times.dispatchedAt - times.readyAt],
  ['dispatched to first instruction', (times) => times.beganAt - times.dispatchedAt],
  ['last instruction to end seen', (times) => times.endSeenAt - times.finishedAt],
  ['end seen to queued for landing', (times) => times.queuedAt - times.endSeenAt],
  ['queued to landed', (times) => times.landedAt - times.queuedAt],
]

type Run = {
  readonly tookMs: number
  readonly boundMs: number
  /** The tasks with the times that their agents really took, including the commit. */
  readonly worked: readonly SimulatedTask[]
  readonly times: readonly TaskTimes[]
}

function ratioOf({ boundMs, tookMs }: Run): number {
  return boundMs / tookMs
}

async function measure(
  daemon: TestDaemon,
  repositoryPath: string,
  tasks: readonly SimulatedTask[],
): Promise<Run> {
  const started = await daemon.client.startJob({
    repositoryPath,
    requestDocument: 'Measure.',
    maxParallelTasks: PARALLEL,
    maxCycles: 1,
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  const events: WireEvent[] = []
  for await (const event of daemon.client.follow(started.value.id)) events.push(event)
  await waitForJob(daemon.client, started.value.id)
  const times = taskTimes(tasks, events, PARALLEL)
  const worked = tasks.map((task, index) => {
    const { beganAt, finishedAt } = times[index] as TaskTimes
    return { ...task, durationMs: finishedAt - beganAt }
  })
  const firstAt = Math.min(...times.map((time) => time.dispatchedAt))
  const lastAt = Math.max(...times.map((time) => time.landedAt))
  const boundMs = Math.max(criticalPath(worked), listSchedule(worked, PARALLEL))
  return { tookMs: lastAt - firstAt, boundMs, worked, times }
}

/** Every agent prints when it starts and ends, sleeps in between, and commits. */
function simulatedProject(tasks: readonly SimulatedTask[]) {
  const shellTasks = tasks.map(({ number, durationMs, dependsOn }) => ({
    description: `simulated work of number ${number} of all`,
    script: `sleep ${durationMs / 1000}; ${commitFile(`work-${number}.txt`, `work ${number}`)}; date +'end %s%N'`,
    extra: { dependsOn },
  }))
  return shellProject(shellTasks, { checks: [], prelude: "date +'begin %s%N'" })
}
