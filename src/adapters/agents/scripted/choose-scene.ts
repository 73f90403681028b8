import type { Cue, Scene, Script } from './script.ts'

/** What a scripted agent knows about its session. */
export type Occasion = {
  readonly role: string
  readonly cycle: number
  readonly attempt: number
  /** The stage of a playbook, and how often its run has entered the stage; empty and NaN outside of runs. */
  readonly stage: string
  readonly round: number
  /** The description of the task, or the whole prompt. */
  readonly task: string
}

const TASK_FENCE = /^----- begin task (\S+) -----\n([\s\S]*?)\n----- end task \1 -----$/m
const PATTERN = /^\/(.+)\/([a-z]*)$/s

/** The first scene whose conditions hold. */
export function chooseScene(script: Script, occasion: Occasion): Scene | undefined {
  return script.find((scene) => holds(scene.when ?? {}, occasion))
}

/** What a scene would have to fit, without the text of the task. */
export function describeOccasion({ role, stage, round, cycle, attempt }: Occasion): string {
  const place = stage === '' ? [] : [`stage ${stage}`, `round ${round}`]
  const counted = Number.isNaN(cycle) ? [] : [`cycle ${cycle}`]
  return [`role ${role}`, ...place, ...counted, `attempt ${attempt}`].join(', ')
}

/** The task's description in a prompt, or the whole prompt if it has none, as for a planner. */
export function taskOfPrompt(prompt: string): string {
  return TASK_FENCE.exec(prompt)?.[2] ?? prompt
}

/** The regular expression of a cue; undefined for plain text. Throws if the expression is invalid. */
export function patternOf(task: string): RegExp | undefined {
  const [, source, flags] = PATTERN.exec(task) ?? []
  return source === undefined ? undefined : new RegExp(source, flags)
}

function holds(cue: Cue, occasion: Occasion): boolean {
  if (cue.role !== undefined && cue.role !== occasion.role) return false
  if (cue.cycle !== undefined && cue.cycle !== occasion.cycle) return false
  if (cue.attempt !== undefined && cue.attempt !== occasion.attempt) return false
  if (cue.stage !== undefined && cue.stage !== occasion.stage) return false
  if (cue.round !== undefined && cue.round !== occasion.round) return false
  if (cue.task === undefined) return true
  return patternOf(cue.task)?.test(occasion.task) ?? occasion.task.includes(cue.task)
}
