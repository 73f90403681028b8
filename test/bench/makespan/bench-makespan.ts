import type { WireEvent } from '../../../src/client/index.ts'
import { commitFile, shellProject } from '../../support/command-agents.ts'
import { type TestDaemon, type TestHome, waitForJob } from '../../support/test-daemon.ts'
import { testRepository } from '../../support/test-repository.ts'
import { median, milliseconds, report } from '../figures.ts'
import { criticalPath, listSchedule } from './list-schedule.ts'
import { type SimulatedTask, simulatedTasks } from './simulated-tasks.ts'
import { type TaskTimes, taskTimes } from './task-times.ts'

const COUNT = 24
const PARALLEL = 4
const SEED = 7
const RUNS = 3
const AIM = 0.95

/** How long a job of agents that only sleep and commit takes, against the same agents without anything around them. */
export async function benchMakespan(home: TestHome): Promise<void> {
  const tasks = simulatedTasks(COUNT, SEED)
  await using repository = await testRepository(simulatedProject(tasks))
  await using daemon = await home.start()
  const runs: Run[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(daemon, repository.path, tasks))
  const usual = runs.toSorted((one, other) => ratioOf(one) - ratioOf(other))[Math.floor(RUNS / 2)]
  if (usual === undefined) return
  report({
    what: `makespan of ${COUNT} tasks, ${PARALLEL} at once, p50`,
    figure: `${milliseconds(usual.tookMs)} = ${ratioOf(usual).toFixed(3)} of the bound`,
    floor: `${milliseconds(usual.boundMs)} (chain ${milliseconds(criticalPath(usual.worked))})`,
    aim: `bound over makespan at least ${AIM}`,
    isMet: ratioOf(usual) >= AIM,
  })
  const ratios = runs.map((run) => ratioOf(run).toFixed(3))
  report({ what: `bound over makespan, all ${RUNS} runs`, figure: ratios.join(' ') })
  for (const [what, part] of PARTS) {
    const samples = usual.times.map(part).filter((sample) => Number.isFinite(sample))
    report({ what: `  ${what}, p50`, figure: milliseconds(median(samples)) })
  }
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
  /** The tasks with the time their agents really took, commit included. */
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

/** Every agent says when it begins and when it is done, sleeps in between, and leaves a commit. */
function simulatedProject(tasks: readonly SimulatedTask[]) {
  const shellTasks = tasks.map(({ number, durationMs, dependsOn }) => ({
    description: `simulated work of number ${number} of all`,
    script: `sleep ${durationMs / 1000}; ${commitFile(`work-${number}.txt`, `work ${number}`)}; date +'end %s%N'`,
    extra: { dependsOn },
  }))
  return shellProject(shellTasks, { checks: [], prelude: "date +'begin %s%N'" })
}
