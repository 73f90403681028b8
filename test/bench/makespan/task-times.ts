import type { WireEvent } from '../../../src/client/index.ts'
import { agentText } from '../../support/agent-output.ts'
import type { SimulatedTask } from './simulated-tasks.ts'

/** The times of one task, in milliseconds. */
export type TaskTimes = {
  /** When its dependencies had landed and a place was free. */
  readonly readyAt: number
  readonly dispatchedAt: number
  /** The agent's first and last instruction, by its own clock. */
  readonly beganAt: number
  readonly finishedAt: number
  readonly endSeenAt: number
  readonly queuedAt: number
  readonly landedAt: number
}

type OwnTimes = Omit<TaskTimes, 'readyAt'>

/** Reads the times from a job's events. Throws if a task did not land. */
export function taskTimes(
  tasks: readonly SimulatedTask[],
  events: readonly WireEvent[],
  parallel: number,
): readonly TaskTimes[] {
  const planned = Date.parse(events.find((event) => event.type === 'cycle_tasks_discovered')?.at ?? '')
  const own = tasks.map((task) => ownTimes(task, events))
  return own.map((times, index) => {
    const dependsOn = tasks[index]?.dependsOn ?? []
    const landings = dependsOn.map((number) => own[number - 1]?.landedAt ?? Number.NaN)
    return { ...times, readyAt: Math.max(planned, placeFreeAt(own, times, parallel), ...landings) }
  })
}

/** When the last place that was taken before a task started became free, or the start of the job if none was. */
function placeFreeAt(all: readonly OwnTimes[], { dispatchedAt }: OwnTimes, parallel: number): number {
  const isTaken = (at: number) => all.filter((task) => task.dispatchedAt < at && task.endSeenAt >= at).length
  const freed = all
    .map((task) => task.endSeenAt)
    .filter((at) => at <= dispatchedAt && isTaken(at) >= parallel)
  return Math.max(0, ...freed)
}

function ownTimes({ number }: SimulatedTask, events: readonly WireEvent[]): OwnTimes {
  const started = events.find((event) => event.type === 'task_started' && event.data.number === number)
  const sessionId = started?.sessionId
  const ofTask = events.filter((event) => event.taskId !== undefined && event.taskId === started?.taskId)
  const at = (type: string) => ofTask.find((event) => event.type === type)?.at
  const ended = events.find((event) => event.type === 'session_ended' && event.sessionId === sessionId)
  const landed = at('task_completed')
  if (started === undefined || landed === undefined) throw new Error(`task ${number} did not land`)
  return {
    dispatchedAt: Date.parse(started.at),
    beganAt: stamp(ofTask, 'begin'),
    finishedAt: stamp(ofTask, 'end'),
    endSeenAt: Date.parse(ended?.at ?? ''),
    queuedAt: Date.parse(at('landing_queued') ?? ''),
    landedAt: Date.parse(landed),
  }
}

/** The time that an agent printed after a word. */
function stamp(events: readonly WireEvent[], word: string): number {
  const text = events.map(agentText).find((line) => line.startsWith(`${word} `)) ?? ''
  const [, nanoseconds = '0'] = text.split(' ')
  return Number(BigInt(nanoseconds) / 1000n) / 1000
}
