import type { CycleYield } from '../../domain/discovery/discovery-yield.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { type Fence, fenceNotice, fenceWith, problemSection } from './fenced-text.ts'
import { type PlaybooksInput, playbooksSection } from './playbooks-section.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.planner

/** A failed or blocked task, with what stopped it. */
export type Setback = {
  readonly description: string
  readonly reason: string
  /** What could be done about it. */
  readonly suggestion?: string
}

export type PlannerPromptInput = PlaybooksInput & {
  readonly goal: string
  /** The parts of the goal, in the order of their numbers. */
  readonly clauses: readonly string[]
  /** What the person wants done, in their own words. */
  readonly requestedTasks: string
  readonly taskList: string
  readonly cycle: number
  readonly branch: string
  /** The branch and the commit that the job started from. */
  readonly base: { readonly branch: string; readonly commit: string }
  /** The files that differ from the base now. */
  readonly changedFiles: readonly string[]
  /** Newest first. */
  readonly recentCommits: readonly string[]
  readonly files: readonly string[]
  readonly totalFiles: number
  /** Oldest first. */
  readonly earlierCycles: readonly { readonly number: number; readonly summary: string }[]
  readonly yields: readonly CycleYield[]
  readonly setbacks: readonly Setback[]
  /** Tasks that this cycle has in addition to the planner's. */
  readonly ownTasks: readonly string[]
  /** Why the previous answer could not be used. */
  readonly previousProblem?: string
  /** Random, and new for this prompt. */
  readonly boundary: string
}

/** Asks a planner for the next tasks of a job, or for evidence that the goal is reached. */
export function plannerPrompt(input: PlannerPromptInput): string {
  const fence = fenceWith(input.boundary)
  const sections = [
    `You plan the work on a repository. This is cycle ${input.cycle}. Read the goal, look at the repository in your`,
    'working directory, and list the tasks that can be done now. Do not change anything yourself.',
    '',
    fenceNotice(input.boundary),
    '',
    '## The goal',
    fence('goal', shortenedText(input.goal, LIMITS.goal)),
    '',
    '## The clauses of the goal, by number',
    fence('clauses', clausesText(input)),
    '',
    ...requestedSection(input, fence),
    '## The task list so far',
    fence('task list', shortenedText(input.taskList, LIMITS.taskList)),
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
    ...playbooksSection(input, fence),
    ...problemSection(input.previousProblem, fence),
    ANSWER_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function clausesText(input: PlannerPromptInput): string {
  const lines = input.clauses.map((clause, index) => `${index + 1}. ${clause}`)
  return shortenedText(lines.join('\n'), LIMITS.clauses)
}

function requestedSection(input: PlannerPromptInput, fence: Fence): readonly string[] {
  if (input.requestedTasks.trim() === '') return []
  return [
    '## Tasks the person requested',
    fence('requested tasks', shortenedText(input.requestedTasks, LIMITS.taskList)),
    'List tasks for all of these that are not done yet. If something cannot be done yet, list it in a later cycle. The goal',
    'is not reached until all of them are done.',
    '',
  ]
}

function repositoryText(input: PlannerPromptInput): string {
  const { base, changedFiles } = input
  const files = shortenedList(input.files, LIMITS.files, input.totalFiles)
  return [
    `Branch: ${input.branch}`,
    `Base: ${base.branch} at ${base.commit}`,
    '',
    'Recent commits, newest first:',
    shortenedText(shortenedList(input.recentCommits, LIMITS.commits), LIMITS.commitText),
    '',
    `Files changed since the base (${changedFiles.length}):`,
    shortenedText(shortenedList(changedFiles, LIMITS.changedFiles), LIMITS.fileText),
    '',
    `Files (${input.totalFiles}):`,
    shortenedText(files, LIMITS.fileText),
  ].join('\n')
}

function earlierText(input: PlannerPromptInput): string {
  const yields = new Map(input.yields.map((each) => [each.cycle, each]))
  return input.earlierCycles
    .slice(-LIMITS.summaries)
    .map(({ number, summary }) => {
      const line = `Cycle ${number}: ${shortenedText(summary, LIMITS.entry)}`
      const reported = yields.get(number)
      return reported === undefined ? line : `${line}\n${yieldText(reported)}`
    })
    .join('\n')
}

function yieldText({ cycle, discovered, landed }: CycleYield): string {
  const named = discovered === 1 ? 'the 1 task' : `the ${discovered} tasks`
  return `Of ${named} you listed in cycle ${cycle}, ${landed} landed.`
}

function setbacksText(input: PlannerPromptInput): string {
  return input.setbacks
    .slice(-LIMITS.setbacks)
    .map(({ description, reason, suggestion }) => {
      const lines = [
        `- ${shortenedText(description, LIMITS.entry)}`,
        `  because: ${shortenedText(reason, LIMITS.entry)}`,
      ]
      if (suggestion !== undefined)
        lines.push(`  what may help: ${shortenedText(suggestion, LIMITS.suggestion)}`)
      return lines.join('\n')
    })
    .join('\n')
}

function ownSection(input: PlannerPromptInput, fence: Fence): readonly string[] {
  if (input.ownTasks.length === 0) return []
  const lines = input.ownTasks.map((task) => `- ${shortenedText(task, LIMITS.entry)}`)
  return [
    '## Tasks that are already part of this cycle',
    fence('own tasks', shortenedList(lines, LIMITS.setbacks)),
    'They run before yours. Do not list them again, and do not list the work that they merge.',
    '',
  ]
}

const ANSWER_RULES = `## What to answer
List 1 to 5 tasks that bring the goal closer and that one agent can finish in one session. Each task needs clear success
criteria and must be self-contained: its agent sees the task, not this conversation. Do not repeat work that is done. List
a failed task again only in a different form, or after what blocked it has been dealt with. Name the files that a task
will probably touch: tasks that touch the same files do not run at the same time.

End your answer with this JSON, on one line:
{"type":"result","tasks":[{"description":"what to do","context":"what its agent must know","files":["path"],"successCriteria":["what must hold"],"priority":"P0","parallel":true,"dependsOn":[],"clauses":[1]}],"reasoning":"why these","blockers":["what cannot be done yet, and why"],"done":false,"evidence":[],"learnings":["what the next agents should know"]}
Priority is P0 (critical), P1 (important) or P2 (nice to have). "dependsOn" contains numbers of tasks in this answer,
counted from 1. "clauses" contains the numbers of the clauses of the goal that the task serves. "learnings" may be empty.
If every clause of the goal holds in the repository as it is now, answer with no tasks, "done":true, and in "evidence" one
entry {"clause":1,"evidence":"where it can be seen"} for each clause. "done" without evidence for every clause is not
accepted. If you are unsure, do not answer "done".`
