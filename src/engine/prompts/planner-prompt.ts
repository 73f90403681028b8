import { fencedText, fenceNotice } from './fenced-text.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const MAX_GOAL = 64_000
const MAX_TASK_LIST = 32_000
const MAX_FILES = 500
const MAX_FILE_TEXT = 24_000
const MAX_COMMITS = 20
const MAX_COMMIT_TEXT = 4_000
const MAX_SUMMARIES = 10
const MAX_SETBACKS = 30
const MAX_ENTRY = 2_000

export type PlannerPromptInput = {
  readonly goal: string
  readonly taskList: string
  readonly cycle: number
  readonly branch: string
  /** Newest first. */
  readonly recentCommits: readonly string[]
  readonly files: readonly string[]
  readonly totalFiles: number
  /** Oldest first. */
  readonly earlierCycles: readonly { readonly number: number; readonly summary: string }[]
  /** Failed and blocked tasks, with what stopped them. */
  readonly setbacks: readonly { readonly description: string; readonly reason: string }[]
  /** Why the answer before this one could not be used. */
  readonly previousProblem?: string
  /** Random, made for this prompt. */
  readonly boundary: string
}

/** Asks a planner for the next tasks of a job, or for the proof that there are none left. */
export function plannerPrompt(input: PlannerPromptInput): string {
  const fence = (label: string, text: string): string => fencedText(label, text, input.boundary)
  const sections = [
    `You plan the work on a repository. This is cycle ${input.cycle}. Read the goal, look at the repository in your`,
    'working directory, and name the tasks that can be done now. Change nothing yourself.',
    '',
    fenceNotice(input.boundary),
    '',
    '## The goal',
    fence('goal', shortenedText(input.goal, MAX_GOAL)),
    '',
    '## The task list so far',
    fence('task list', shortenedText(input.taskList, MAX_TASK_LIST)),
    '',
    '## The repository',
    fence('repository', repositoryText(input)),
    '',
    '## Earlier cycles',
    fence('earlier cycles', earlierText(input)),
    '',
    '## Failed or blocked so far',
    fence('setbacks', setbacksText(input)),
    '',
    ...problemSection(input, fence),
    ANSWER_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function repositoryText(input: PlannerPromptInput): string {
  const files = shortenedList(input.files, MAX_FILES, input.totalFiles)
  return [
    `Branch: ${input.branch}`,
    '',
    'Recent commits, newest first:',
    shortenedText(shortenedList(input.recentCommits, MAX_COMMITS), MAX_COMMIT_TEXT),
    '',
    `Files (${input.totalFiles}):`,
    shortenedText(files, MAX_FILE_TEXT),
  ].join('\n')
}

function earlierText(input: PlannerPromptInput): string {
  return input.earlierCycles
    .slice(-MAX_SUMMARIES)
    .map((cycle) => `Cycle ${cycle.number}: ${shortenedText(cycle.summary, MAX_ENTRY)}`)
    .join('\n')
}

function setbacksText(input: PlannerPromptInput): string {
  return input.setbacks
    .slice(-MAX_SETBACKS)
    .map((setback) => {
      const description = shortenedText(setback.description, MAX_ENTRY)
      return `- ${description}\n  because: ${shortenedText(setback.reason, MAX_ENTRY)}`
    })
    .join('\n')
}

function problemSection(
  input: PlannerPromptInput,
  fence: (label: string, text: string) => string,
): readonly string[] {
  if (input.previousProblem === undefined) return []
  return [
    '## Your last answer could not be used',
    fence('problem', shortenedText(input.previousProblem, MAX_ENTRY)),
    'Answer again, in the form below.',
    '',
  ]
}

const ANSWER_RULES = `## What to answer
Name 1 to 5 tasks that bring the goal nearer and that one agent can finish in one sitting. Each has clear success
criteria and stands on its own: its agent sees the task, not this conversation. Do not repeat what is done. A task
that failed may come again only in another form, or with what was in its way taken care of. Tasks that touch the same
files depend on one another or are not parallel.

Print, as the last thing and on one line, this JSON:
{"type":"result","tasks":[{"description":"what to do","context":"what its agent must know","files":["path"],"successCriteria":["what must hold"],"priority":"P0","parallel":true,"dependsOn":[]}],"reasoning":"why these","blockers":["what cannot be done yet, and why"],"done":false,"evidence":[]}
Priority is P0 (critical), P1 (important) or P2 (good to have). dependsOn holds numbers of tasks in this answer,
counted from 1. When every part of the goal holds in the repository as it is now, give no tasks, "done":true, and in
"evidence" one sentence for each part of the goal that says where it can be seen. Never say done because you are unsure.`
