import type { CycleYield } from '../../domain/discovery/discovery-yield.ts'
import { fencedText, fenceNotice } from './fenced-text.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const MAX_GOAL = 64_000
const MAX_CLAUSES_TEXT = 26_000
const MAX_TASK_LIST = 32_000
const MAX_FILES = 500
const MAX_CHANGED_FILES = 200
const MAX_FILE_TEXT = 24_000
const MAX_COMMITS = 20
const MAX_COMMIT_TEXT = 4_000
const MAX_SUMMARIES = 10
const MAX_SETBACKS = 30
const MAX_ENTRY = 2_000
const MAX_SUGGESTION = 500

/** A failed or blocked task, with what stopped it. */
export type Setback = {
  readonly description: string
  readonly reason: string
  /** What may be done about it. */
  readonly suggestion?: string
}

export type PlannerPromptInput = {
  readonly goal: string
  /** What the goal consists of, in the order of their numbers. */
  readonly clauses: readonly string[]
  /** What the person wants done, in their words. */
  readonly wantedTasks: string
  readonly taskList: string
  readonly cycle: number
  readonly branch: string
  /** The branch and the commit that all of this began from. */
  readonly base: { readonly branch: string; readonly commit: string }
  /** What differs from the base by now. */
  readonly changedFiles: readonly string[]
  /** Newest first. */
  readonly recentCommits: readonly string[]
  readonly files: readonly string[]
  readonly totalFiles: number
  /** Oldest first. */
  readonly earlierCycles: readonly { readonly number: number; readonly summary: string }[]
  readonly yields: readonly CycleYield[]
  readonly setbacks: readonly Setback[]
  /** Tasks that this cycle has in any case. */
  readonly ownTasks: readonly string[]
  /** Why the answer before this one could not be used. */
  readonly previousProblem?: string
  /** Random, made for this prompt. */
  readonly boundary: string
}

type Fence = (label: string, text: string) => string

/** Asks a planner for the next tasks of a job, or for the proof that there are none left. */
export function plannerPrompt(input: PlannerPromptInput): string {
  const fence: Fence = (label, text) => fencedText(label, text, input.boundary)
  const sections = [
    `You plan the work on a repository. This is cycle ${input.cycle}. Read the goal, look at the repository in your`,
    'working directory, and name the tasks that can be done now. Change nothing yourself.',
    '',
    fenceNotice(input.boundary),
    '',
    '## The goal',
    fence('goal', shortenedText(input.goal, MAX_GOAL)),
    '',
    '## The clauses of the goal, by number',
    fence('clauses', clausesText(input)),
    '',
    ...wantedSection(input, fence),
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
    ...ownSection(input, fence),
    ...problemSection(input, fence),
    ANSWER_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function clausesText(input: PlannerPromptInput): string {
  const lines = input.clauses.map((clause, index) => `${index + 1}. ${clause}`)
  return shortenedText(lines.join('\n'), MAX_CLAUSES_TEXT)
}

function wantedSection(input: PlannerPromptInput, fence: Fence): readonly string[] {
  if (input.wantedTasks.trim() === '') return []
  return [
    '## Tasks the person wants',
    fence('wanted tasks', shortenedText(input.wantedTasks, MAX_TASK_LIST)),
    'Each of these that is not done yet must be covered by your tasks, now or as soon as it can be done. The goal is',
    'not reached before they are done.',
    '',
  ]
}

function repositoryText(input: PlannerPromptInput): string {
  const { base, changedFiles } = input
  const files = shortenedList(input.files, MAX_FILES, input.totalFiles)
  return [
    `Branch: ${input.branch}`,
    `Base: ${base.branch} at ${base.commit}`,
    '',
    'Recent commits, newest first:',
    shortenedText(shortenedList(input.recentCommits, MAX_COMMITS), MAX_COMMIT_TEXT),
    '',
    `Files changed since the base (${changedFiles.length}):`,
    shortenedText(shortenedList(changedFiles, MAX_CHANGED_FILES), MAX_FILE_TEXT),
    '',
    `Files (${input.totalFiles}):`,
    shortenedText(files, MAX_FILE_TEXT),
  ].join('\n')
}

function earlierText(input: PlannerPromptInput): string {
  const yields = new Map(input.yields.map((each) => [each.cycle, each]))
  return input.earlierCycles
    .slice(-MAX_SUMMARIES)
    .map(({ number, summary }) => {
      const line = `Cycle ${number}: ${shortenedText(summary, MAX_ENTRY)}`
      const told = yields.get(number)
      return told === undefined ? line : `${line}\n${yieldText(told)}`
    })
    .join('\n')
}

function yieldText({ cycle, discovered, landed }: CycleYield): string {
  const named = discovered === 1 ? 'the 1 task' : `the ${discovered} tasks`
  return `Of ${named} you named in cycle ${cycle}, ${landed} landed.`
}

function setbacksText(input: PlannerPromptInput): string {
  return input.setbacks
    .slice(-MAX_SETBACKS)
    .map(({ description, reason, suggestion }) => {
      const lines = [
        `- ${shortenedText(description, MAX_ENTRY)}`,
        `  because: ${shortenedText(reason, MAX_ENTRY)}`,
      ]
      if (suggestion !== undefined)
        lines.push(`  what may help: ${shortenedText(suggestion, MAX_SUGGESTION)}`)
      return lines.join('\n')
    })
    .join('\n')
}

function ownSection(input: PlannerPromptInput, fence: Fence): readonly string[] {
  if (input.ownTasks.length === 0) return []
  const lines = input.ownTasks.map((task) => `- ${shortenedText(task, MAX_ENTRY)}`)
  return [
    '## Tasks this cycle has in any case',
    fence('own tasks', shortenedList(lines, MAX_SETBACKS)),
    'They are done before yours. Do not name them, or what they bring in, again.',
    '',
  ]
}

function problemSection(input: PlannerPromptInput, fence: Fence): readonly string[] {
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
that failed may come again only in another form, or with what was in its way taken care of. Name the files that a
task will probably touch: tasks that touch the same files are not done at the same time.

Print, as the last thing and on one line, this JSON:
{"type":"result","tasks":[{"description":"what to do","context":"what its agent must know","files":["path"],"successCriteria":["what must hold"],"priority":"P0","parallel":true,"dependsOn":[],"clauses":[1]}],"reasoning":"why these","blockers":["what cannot be done yet, and why"],"done":false,"evidence":[],"learnings":["what whoever comes next should know"]}
Priority is P0 (critical), P1 (important) or P2 (good to have). dependsOn holds numbers of tasks in this answer,
counted from 1; clauses holds numbers of the clauses of the goal that the task serves. learnings may be empty.
When every clause of the goal holds in the repository as it is now, give no tasks, "done":true, and as "evidence" for
each clause an entry {"clause":1,"evidence":"where it can be seen"}. An answer that says done and leaves a clause without
evidence is not accepted. Never say done because you are unsure.`
