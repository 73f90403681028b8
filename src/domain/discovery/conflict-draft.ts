import type { Task, TaskDraft } from '../task/task.ts'
import type { TaskOrigin } from '../task/task-origin.ts'

/** A draft that knows where it comes from. */
export type OriginatedDraft = TaskDraft & { readonly origin: TaskOrigin }

export type ConflictFacts = {
  /** Whose work conflicts. */
  readonly task: Task
  /** Whose work it was in the beginning: the same, unless `task` is itself a merge. */
  readonly first: Task
  readonly tip: string
  readonly paths: readonly string[]
  readonly branch: string
  /** What landed meanwhile in these files, oldest first. */
  readonly landed: readonly Task[]
  /** With both sides between markers. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

const MAX_TITLE = 80
const MAX_PART = 2_000
const MAX_FILE = 6_000
const MAX_CONTEXT = 20_000
const MAX_LANDED = 10
const MAX_PATHS = 50

/** The task that brings work in which could not be merged by itself, with both sides for its agent to see. */
export function conflictDraft(facts: ConflictFacts): OriginatedDraft {
  const { task, first, tip, paths } = facts
  const { successCriteria, clauses, agent } = first
  return {
    description: `Merge the work of ${nameOf(task)} (${titleOf(first)}) with what landed meanwhile`,
    context: contextOf(facts),
    files: paths.slice(0, MAX_PATHS),
    parallel: true,
    priority: 'P0',
    successCriteria:
      successCriteria.length > 0 ? successCriteria : ['What both sides were made for holds in the result'],
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
      `The work of ${nameOf(task)} is commit ${tip}. It is in this repository: \`git merge ${tip}\` brings it in and stops`,
      `at what conflicts with ${branch}. Resolve that so that what both sides were made for holds, and commit the merge.`,
    ].join('\n'),
    `The conflict is in:\n${paths
      .slice(0, MAX_PATHS)
      .map((path) => `- ${path}`)
      .join('\n')}`,
    `What was asked for: ${cut(first.description)}`,
    ...(first.context === '' ? [] : [`What was known about it: ${cut(first.context)}`]),
    ...(task.resultSummary === undefined ? [] : [`What its agent did: ${cut(task.resultSummary)}`]),
    ...(landed.length === 0
      ? []
      : [
          `What landed on ${branch} since in these files:\n${landed.slice(-MAX_LANDED).map(landedLine).join('\n')}`,
        ]),
    ...files.map(({ path, text }) => `${path}, as the merge leaves it:\n${cut(text, MAX_FILE)}`),
  ]
  return cut(parts.join('\n\n'), MAX_CONTEXT)
}

function landedLine(task: Task): string {
  const commit = task.state.type === 'completed' ? ` as ${task.state.commit.slice(0, 10)}` : ''
  const summary = task.resultSummary === undefined ? '' : `: ${oneLine(task.resultSummary).slice(0, 300)}`
  return `- ${nameOf(task)} (${titleOf(task)})${commit}${summary}`
}

function nameOf(task: Task): string {
  return `task ${task.cycleNumber}.${task.number}`
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
