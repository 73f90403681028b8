import type { Priority, TaskDraft } from '../task/task.ts'
import { type DependencyGraph, dependsTransitively } from './dependency-graph.ts'
import type { DiscoveryOutcome } from './discovery-answer.ts'

const MAX_TASKS = 50
const MAX_TEXT = 20_000
const MAX_LIST = 200

type Fields = Readonly<Partial<Record<AnswerField | TaskField, unknown>>>
type AnswerField = 'tasks' | 'reasoning' | 'blockers' | 'done' | 'evidence'
type TaskField = keyof TaskDraft
type Unusable = Extract<DiscoveryOutcome, { type: 'unusable' }>

/**
 * What a planner's answer means. Missing optional fields are filled in; an answer whose meaning is in doubt is
 * unusable, with a problem the planner can be told.
 */
export function readDiscoveryAnswer(answer: unknown): DiscoveryOutcome {
  if (!isFields(answer)) return unusable('the answer must be one JSON object')
  const done = answer.done ?? undefined
  if (done !== undefined && typeof done !== 'boolean') return unusable('`done` must be true or false')
  const listed = answer.tasks ?? (done === true ? [] : undefined)
  if (!Array.isArray(listed)) return unusable('`tasks` must be a list of tasks')
  if (listed.length > MAX_TASKS) {
    return unusable(`\`tasks\` has ${listed.length} tasks; give at most ${MAX_TASKS}, the next ones first`)
  }
  const reasoning = textOf(answer.reasoning)
  // A planner that lists work is not done, whatever it claims.
  if (listed.length === 0 && done === true) {
    return { type: 'goal-reached', evidence: textsOf(answer.evidence), reasoning }
  }
  const tasks = readTasks(listed)
  if (!Array.isArray(tasks)) return tasks
  return { type: 'tasks', tasks, reasoning, blockers: textsOf(answer.blockers) }
}

function readTasks(listed: readonly unknown[]): TaskDraft[] | Unusable {
  const drafts: TaskDraft[] = []
  for (const [index, item] of listed.entries()) {
    const draft = readTask(item, index + 1, listed.length)
    if ('type' in draft) return draft
    drafts.push(draft)
  }
  const graph: DependencyGraph = new Map(drafts.map((draft, index) => [index + 1, draft.dependsOn]))
  const circular = [...graph.keys()].find((number) => dependsTransitively(graph, number, number))
  return circular === undefined ? drafts : unusable(`task ${circular} depends, through others, on itself`)
}

function readTask(item: unknown, number: number, count: number): TaskDraft | Unusable {
  if (!isFields(item)) return unusable(`task ${number} must be a JSON object with a \`description\``)
  const description = textOf(item.description)
  if (description === '') return unusable(`task ${number} has no \`description\``)
  const context = textOf(item.context)
  if (description.length > MAX_TEXT || context.length > MAX_TEXT) {
    const field = description.length > MAX_TEXT ? 'description' : 'context'
    return unusable(`the \`${field}\` of task ${number} is longer than ${MAX_TEXT} characters`)
  }
  const dependsOn = readDependencies(item.dependsOn, number, count)
  if (!Array.isArray(dependsOn)) return dependsOn
  const agent = textOf(item.agent)
  return {
    description,
    context,
    files: textsOf(item.files),
    parallel: item.parallel !== false,
    priority: priorityOf(item.priority),
    successCriteria: textsOf(item.successCriteria),
    dependsOn,
    ...(agent === '' ? {} : { agent }),
  }
}

function readDependencies(value: unknown, number: number, count: number): number[] | Unusable {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return unusable(`\`dependsOn\` of task ${number} must be a list of task numbers`)
  const dependsOn = new Set<number>()
  for (const item of value) {
    const dependency = typeof item === 'string' && /^\d{1,3}$/.test(item) ? Number(item) : item
    if (!Number.isInteger(dependency) || dependency < 1 || dependency > count) {
      return unusable(
        `\`dependsOn\` of task ${number} must hold numbers of tasks in this answer, from 1 to ${count}`,
      )
    }
    if (dependency === number) return unusable(`task ${number} depends on itself`)
    dependsOn.add(dependency)
  }
  return [...dependsOn]
}

function priorityOf(value: unknown): Priority {
  return value === 'P0' || value === 'P2' ? value : 'P1'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** One text counts as a list of one; what is not text is left out. */
function textsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LIST) : [value]
  return items.map(textOf).filter((text) => text !== '')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unusable(problem: string): Unusable {
  return { type: 'unusable', problem }
}
