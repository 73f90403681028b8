import type { Task } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'
import { landedCommit } from '../task/task-state.ts'

export type CycleCounts = {
  readonly tasksLaunched: number
  readonly tasksCompleted: number
  readonly tasksFailed: number
}

const MAX_TITLE = 100
const MAX_QUOTE = 200

export function countTasks(tasks: readonly Task[]): CycleCounts {
  const tasksCompleted = tasks.filter(({ state }) => state.type === 'completed').length
  return {
    tasksLaunched: tasks.filter(({ startedAt }) => startedAt !== undefined).length,
    tasksCompleted,
    tasksFailed: tasks.length - tasksCompleted,
  }
}

/** The outcome of a cycle, from its rows: counts first, then a line per task that quotes the agent. */
export function cycleSummary(tasks: readonly Task[]): string {
  return [headline(tasks), ...tasks.map(taskLine)].join('\n')
}

function headline(tasks: readonly Task[]): string {
  const { tasksCompleted } = countTasks(tasks)
  const others = (['failed', 'blocked', 'skipped'] as const)
    .map((type) => [tasks.filter(({ state }) => state.type === type).length, type] as const)
    .filter(([count]) => count > 0)
    .map(([count, type]) => `${count} ${type}`)
  // A task whose result is a document is completed without a commit.
  const isAllLanded = tasks.every(
    ({ state }) => state.type !== 'completed' || landedCommit(state) !== undefined,
  )
  const share = `${tasksCompleted} of ${tasks.length} tasks ${isAllLanded ? 'landed' : 'completed'}`
  const yieldOf = tasks.length === 0 ? '' : ` (${Math.round((100 * tasksCompleted) / tasks.length)}%)`
  return [`${share}${yieldOf}`, ...others].join(', ')
}

function taskLine(task: Task): string {
  const { state } = task
  const reason = 'reason' in state ? `: ${oneLine(state.reason, MAX_QUOTE)}` : ''
  const commit = landedCommit(state)
  const outcome = commit === undefined ? `${state.type}${reason}` : `landed as ${commit.slice(0, 10)}`
  const quote = task.resultSummary === undefined ? '' : oneLine(task.resultSummary, MAX_QUOTE)
  const report = quote === '' ? '' : `; the agent said: "${quote}"`
  return `- ${taskName(task)} ${oneLine(task.description, MAX_TITLE)}: ${outcome}${report}`
}

function oneLine(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}
