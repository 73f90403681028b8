import type { WireEvent, WireEventOf } from '../../contract/event.ts'
import { SETUP_STARTS } from '../../domain/session/setup-output.ts'
import { agentLines } from '../render/event/agent-lines.ts'
import { phaseWords } from '../render/event/phase-words.ts'
import { suspensionWords, waitWords } from '../render/event/waiting-words.ts'
import type { RunPanel } from '../render/live/run-panel-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { nextWaits, type PersonWait } from './person-waits.ts'
import type { TaskName } from './task-names.ts'

export type ActiveTask = {
  readonly key: string
  readonly name: TaskName
  /** Who works on it; undefined until the agent has said something, and while no agent works. */
  readonly agent?: string
  readonly since: number
  readonly doing: string
  /** Whether a run works on it: several roles, one after the other, so the role is shown with the agent. */
  readonly isRun?: true
}

/** What a job is doing now, according to its events. */
export type Progress = {
  readonly since: number
  readonly cycle: number
  readonly phase: string
  /** The phase in which the job was paused. It continues there, and no event repeats the phase. */
  readonly resumesIn?: string
  readonly active: readonly ActiveTask[]
  /** Tasks that were planned so far. */
  readonly planned: number
  readonly landed: number
  readonly failed: number
  /** What the agents reported so far. */
  readonly costUsd: number
  /** Requests and questions that wait for the person, oldest first. */
  readonly waiting: readonly PersonWait[]
  /** The run of a playbook that works on the goal. */
  readonly run?: RunPanel
}

export function firstProgress(since: number): Progress {
  return {
    since,
    cycle: 0,
    phase: 'starting',
    active: [],
    planned: 0,
    landed: 0,
    failed: 0,
    costUsd: 0,
    waiting: [],
  }
}

/** Returns the progress after one more event. `name` is the name of the event's task. */
export function nextProgress(progress: Progress, event: WireEvent, name: TaskName | undefined): Progress {
  switch (event.type) {
    case 'job_started':
      return { ...progress, since: Date.parse(event.at) }
    case 'base_checking':
      return { ...progress, phase: CHECKING_BASE }
    case 'base_checked':
    case 'base_decided':
      return based(progress, event, nextWaits(progress.waiting, event, name?.label))
    case 'job_paused':
      return { ...progress, phase: 'paused', resumesIn: progress.phase, active: [] }
    case 'job_resumed':
      return { ...progress, phase: progress.resumesIn ?? progress.phase }
    case 'cycle_started':
      return cycleBegun(progress, event)
    case 'cycle_phase':
      return { ...progress, phase: phaseWords(event.data.phase) }
    case 'cycle_tasks_discovered':
      return without({ ...progress, planned: progress.planned + event.data.tasks.length }, DISCOVERY)
    case 'cycle_completed':
      return { ...progress, active: [] }
    case 'task_started':
      return name === undefined
        ? progress
        : begun(progress, event.taskId ?? DISCOVERY, event.at, name, event.data.agent)
    case 'task_progress':
      return doing(progress, event.taskId, progressWords(event))
    case 'agent_message':
      return doing(spoken(progress, event), event.taskId ?? DISCOVERY, lastWords(event))
    case 'approval_decided':
      return asked(progress, event, nextWaits(progress.waiting, event, name?.label), 'continues')
    case 'approval_requested':
    case 'message_sent':
      return questioned(progress, event, nextWaits(progress.waiting, event, name?.label))
    case 'base_fix_ended':
    case 'message_failed':
    case 'session_ended':
    case 'job_completed':
    case 'job_cancelled':
    case 'job_error':
      return waited(progress, event)
    case 'session_waiting':
      return doing(progress, event.taskId ?? DISCOVERY, waitWords(event))
    case 'session_suspended':
      return doing(waited(progress, event), event.taskId ?? DISCOVERY, suspensionWords(event))
    case 'session_resumed':
      return doing(waited(progress, event), event.taskId ?? DISCOVERY, 'continues')
    case 'landing_queued':
      return doing(progress, event.taskId, 'waiting to land')
    case 'landing_checking':
      return doing(progress, event.taskId, 'running checks on the merged tree')
    case 'task_completed':
      return without({ ...progress, landed: progress.landed + 1 }, event.taskId)
    case 'task_failed':
      return without({ ...progress, failed: progress.failed + 1 }, event.taskId)
    default:
      return nextOfRun(progress, event, name)
  }
}

function nextOfRun(progress: Progress, event: WireEvent, name: TaskName | undefined): Progress {
  switch (event.type) {
    case 'run_started':
      return name === undefined ? progress : runBegun(progress, event, name)
    case 'stage_entered':
      return doing(withoutAgent(progress, event.taskId), event.taskId, safeLine(event.data.stage))
    case 'stage_ended':
    case 'run_ended':
    case 'run_cancelled':
      return withoutAgent(progress, event.taskId)
    default:
      return progress
  }
}

const CHECKING_BASE = 'checking the base'
/** The key of the command that runs while the base is checked. */
const BASE = 'base'

export function isCheckingBase({ phase }: Progress): boolean {
  return phase === CHECKING_BASE
}

/** Returns the progress with the command of the base check that runs now. */
export function withBaseCommand(progress: Progress, words: string, now: number): Progress {
  const known = progress.active.find(({ key }) => key === BASE)
  if (known?.name.description === words) return progress
  return begun(progress, BASE, new Date(now).toISOString(), { label: BASE, description: words })
}

/** The key of the job's discovery, which has no task. */
const DISCOVERY = 'discovery'

/** A cycle whose tasks are known, such as the one of a playbook, has no planner. */
function cycleBegun(progress: Progress, { data, cycle, at }: WireEventOf<'cycle_started'>): Progress {
  const started = { ...progress, cycle: cycle ?? progress.cycle, phase: phaseWords(data.phase), active: [] }
  if (data.phase !== 'discovery') return started
  return begun(started, DISCOVERY, at, { label: 'plan', description: 'looking for tasks' })
}

/** What an agent last said or did, without notes about the session. */
function lastWords(event: WireEventOf<'agent_message'>): string {
  const lines = agentLines(event).filter(({ kind }) => kind !== 'note')
  // The first line of a result names the tool; the others are what it printed.
  return setupWords(lines.at(event.data.type === 'tool-result' ? 0 : -1)?.text ?? '')
}

/** That setup runs, without the name of the program that says so. */
function setupWords(text: string): string {
  return text.trim() === SETUP_STARTS ? 'running setup' : text.trim()
}

/** The output of a check belongs in its log; that the check runs is known. */
function progressWords({ data }: WireEventOf<'task_progress'>): string {
  if (data.source === 'check') return ''
  return setupWords(safeLine(data.message))
}

function waited(progress: Progress, event: WireEvent): Progress {
  return { ...progress, waiting: nextWaits(progress.waiting, event, undefined) }
}

function asked(
  progress: Progress,
  event: WireEvent,
  waiting: readonly PersonWait[],
  text: 'waiting for you' | 'continues',
): Progress {
  return doing({ ...progress, waiting }, event.taskId ?? DISCOVERY, text)
}

/** The base was checked, or a person has decided what to do about it. */
function based(
  progress: Progress,
  event: WireEventOf<'base_checked' | 'base_decided'>,
  waiting: readonly PersonWait[],
): Progress {
  const isAsking = event.type === 'base_checked' && event.data.isAsking === true
  return without({ ...progress, waiting, phase: isAsking ? 'waiting for you' : 'starting' }, BASE)
}

/** A request or a question to the person, or an answer from them. What a rule allows doesn't wait. */
function questioned(progress: Progress, event: WireEvent, waiting: readonly PersonWait[]): Progress {
  const more = waiting.length - progress.waiting.length
  if (more === 0) return { ...progress, waiting }
  return asked(progress, event, waiting, more > 0 ? 'waiting for you' : 'continues')
}

/** Who speaks, and what it cost. */
function spoken(progress: Progress, { taskId = DISCOVERY, data }: WireEventOf<'agent_message'>): Progress {
  const cost = data.type === 'usage' ? (data.costUsd ?? 0) : 0
  return {
    ...progress,
    costUsd: progress.costUsd + cost,
    active: progress.active.map((task) =>
      task.key === taskId
        ? { ...task, agent: safeLine(task.isRun === true ? `${data.role} ${data.agent}` : data.agent) }
        : task,
    ),
  }
}

function begun(progress: Progress, key: string, at: string, name: TaskName, agent?: string): Progress {
  const known = agent === undefined ? {} : { agent: safeLine(agent) }
  const task: ActiveTask = { key, name, since: Date.parse(at), doing: '', ...known }
  return { ...progress, active: [...progress.active.filter((other) => other.key !== key), task] }
}

function runBegun(
  progress: Progress,
  { taskId = DISCOVERY, at }: WireEventOf<'run_started'>,
  name: TaskName,
): Progress {
  const { active, ...rest } = begun(progress, taskId, at, name)
  return { ...rest, active: active.map((task) => (task.key === taskId ? { ...task, isRun: true } : task)) }
}

/** Checks, gates and the landing of a run have no agent. */
function withoutAgent(progress: Progress, key: string | undefined): Progress {
  return {
    ...progress,
    active: progress.active.map((task) => {
      if (task.key !== key || task.isRun !== true) return task
      const { agent: _, ...idle } = task
      return idle
    }),
  }
}

function doing(progress: Progress, key: string | undefined, text: string): Progress {
  if (text === '') return progress
  return {
    ...progress,
    active: progress.active.map((task) => (task.key === key ? { ...task, doing: text } : task)),
  }
}

function without(progress: Progress, key: string | undefined): Progress {
  return { ...progress, active: progress.active.filter((task) => task.key !== key) }
}
