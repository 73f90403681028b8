import type { Task, TaskDraft, TaskOrigin } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'
import { landedCommit } from '../task/task-state.ts'

/** A draft with its origin. */
export type OriginatedDraft = TaskDraft & { readonly origin: TaskOrigin }

export type ConflictFacts = {
  /** The task whose work conflicts. */
  readonly task: Task
  /** The task that the work came from originally; the same unless `task` is itself a merge. */
  readonly first: Task
  readonly tip: string
  readonly paths: readonly string[]
  readonly branch: string
  /** The tasks that have since landed in these files, oldest first. */
  readonly landed: readonly Task[]
  /** With both sides between conflict markers. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

const MAX_TITLE = 80
const MAX_PART = 2_000
const MAX_FILE = 6_000
const MAX_CONTEXT = 20_000
const MAX_LANDED = 10
const MAX_PATHS = 50

/** The task that merges work which could not be merged automatically; shows its agent both sides. */
export function conflictDraft(facts: ConflictFacts): OriginatedDraft {
  const { task, first, tip, paths } = facts
  const { successCriteria, clauses, agent } = first
  return {
    description: `Merge the work of ${nameOf(task)} (${titleOf(first)}) with work that landed in the meantime`,
    context: contextOf(facts),
    files: paths.slice(0, MAX_PATHS),
    parallel: true,
    priority: 'P0',
    successCriteria:
      successCriteria.length > 0 ? successCriteria : ['The result serves the purpose of both sides'],
    dependsOn: [],
    clauses,
    ...(agent === undefined ? {} : { agent }),
    origin: { type: 'conflict', taskId: task.id, tip, paths },
  }
}

function contextOf(facts: ConflictFacts): string {
  const { task, first, tip, paths, branch, landed, files } = facts
  const parts = [
    [
      `The work of ${nameOf(task)} is commit ${tip}, which is in this repository. Run \`git merge ${tip}\`; it stops`,
      `at the conflicts with ${branch}. Resolve them so that the purpose of both sides is kept, and commit the merge.`,
    ].join('\n'),
    `Conflicting files:\n${paths
      .slice(0, MAX_PATHS)
      .map((path) => `- ${path}`)
      .join('\n')}`,
    `The task was: ${cut(first.description)}`,
    ...(first.context === '' ? [] : [`Its context was: ${cut(first.context)}`]),
    ...(task.resultSummary === undefined ? [] : [`Its agent reported: ${cut(task.resultSummary)}`]),
    ...(landed.length === 0
      ? []
      : [
          `Landed on ${branch} since then, in these files:\n${landed.slice(-MAX_LANDED).map(landedLine).join('\n')}`,
        ]),
    ...files.map(({ path, text }) => `${path} with conflict markers:\n${cut(text, MAX_FILE)}`),
  ]
  return cut(parts.join('\n\n'), MAX_CONTEXT)
}

function landedLine(task: Task): string {
  const landed = landedCommit(task.state)
  const commit = landed === undefined ? '' : ` as ${landed.slice(0, 10)}`
  const summary = task.resultSummary === undefined ? '' : `: ${oneLine(task.resultSummary).slice(0, 300)}`
  return `- ${nameOf(task)} (${titleOf(task)})${commit}${summary}`
}

function nameOf(task: Task): string {
  return `task ${taskName(task)}`
}

function titleOf(task: Task): string {
  const title = oneLine(task.description)
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1).trimEnd()}…`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function cut(text: string, limit = MAX_PART): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 20).trimEnd()}\n[shortened]`
}

/** Puts merges first, and shifts the numbers by which the planner's drafts depend on one another. */
export function conflictsFirst(
  conflicts: readonly OriginatedDraft[],
  planned: readonly TaskDraft[],
): readonly OriginatedDraft[] {
  const moved = planned.map(
    (draft): OriginatedDraft => ({
      ...draft,
      dependsOn: draft.dependsOn.map((number) => number + conflicts.length),
      after: (draft.after ?? []).map((number) => number + conflicts.length),
      origin: { type: 'planned' },
    }),
  )
  return [...conflicts, ...moved]
}
