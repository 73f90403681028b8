import type { Cue, Scene, Script } from './script.ts'

/** What a session tells a scripted agent about itself. */
export type Occasion = {
  readonly role: string
  readonly cycle: number
  readonly attempt: number
  /** What it was asked to do. */
  readonly task: string
}

const TASK_FENCE = /^----- begin task (\S+) -----\n([\s\S]*?)\n----- end task \1 -----$/m
const PATTERN = /^\/(.+)\/([a-z]*)$/s

/** The first scene whose cue holds. */
export function chooseScene(script: Script, occasion: Occasion): Scene | undefined {
  return script.find((scene) => holds(scene.when ?? {}, occasion))
}

/** The task's description out of a prompt; the whole prompt when it marks none, as a planner's does not. */
export function taskOfPrompt(prompt: string): string {
  return TASK_FENCE.exec(prompt)?.[2] ?? prompt
}

/** A cue's pattern, or nothing when it is plain text. Throws on a pattern that is none. */
export function patternOf(task: string): RegExp | undefined {
  const [, source, flags] = PATTERN.exec(task) ?? []
  return source === undefined ? undefined : new RegExp(source, flags)
}

function holds(cue: Cue, occasion: Occasion): boolean {
  if (cue.role !== undefined && cue.role !== occasion.role) return false
  if (cue.cycle !== undefined && cue.cycle !== occasion.cycle) return false
  if (cue.attempt !== undefined && cue.attempt !== occasion.attempt) return false
  if (cue.task === undefined) return true
  return patternOf(cue.task)?.test(occasion.task) ?? occasion.task.includes(cue.task)
}
