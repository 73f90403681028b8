import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { failure, type Result, success } from '../result.ts'
import type { Priority } from '../task/task.ts'
import {
  type AnswerFields,
  isAnswerFields,
  kindOf,
  listOf,
  textOf,
  textsOf,
  wholeNumberOf,
} from './answer-fields.ts'
import { type DependencyGraph, dependsTransitively } from './dependency-graph.ts'
import { type PlannedDraft, readChoice } from './playbook-choice.ts'

/** The tasks of an answer, or a one-line problem with the first unusable task. */
export function readTaskDrafts(
  listed: readonly unknown[],
  clauseCount: number,
): Result<readonly PlannedDraft[], string> {
  if (listed.length > ANSWER_LIMITS.tasks) {
    return failure(
      `\`tasks\` has ${listed.length} tasks; list at most ${ANSWER_LIMITS.tasks}, in the order to work on them`,
    )
  }
  const drafts: PlannedDraft[] = []
  for (const [index, item] of listed.entries()) {
    const draft = readTask(item, { number: index + 1, count: listed.length, clauseCount })
    if (!draft.ok) return draft
    drafts.push(draft.value)
  }
  const graph: DependencyGraph = new Map(drafts.map((draft, index) => [index + 1, draft.dependsOn]))
  const circular = [...graph.keys()].find((number) => dependsTransitively(graph, number, number))
  return circular === undefined
    ? success(drafts)
    : failure(`task ${circular} depends on itself through other tasks`)
}

type Place = { readonly number: number; readonly count: number; readonly clauseCount: number }

function readTask(item: unknown, place: Place): Result<PlannedDraft, string> {
  const { number } = place
  if (!isAnswerFields(item)) {
    return failure(`task ${number} must be a JSON object with a \`description\`, but it is ${kindOf(item)}`)
  }
  const description = textOf(item.description)
  if (description === '') return failure(`task ${number} has no \`description\``)
  const context = textOf(item.context)
  if (description.length > ANSWER_LIMITS.taskCharacters || context.length > ANSWER_LIMITS.taskCharacters) {
    const field = description.length > ANSWER_LIMITS.taskCharacters ? 'description' : 'context'
    return failure(
      `the \`${field}\` of task ${number} is longer than ${ANSWER_LIMITS.taskCharacters} characters`,
    )
  }
  const dependsOn = readDependencies(item.dependsOn, place)
  if (!dependsOn.ok) return dependsOn
  return success(draftOf(item, { description, context, dependsOn: dependsOn.value }, place))
}

function draftOf(
  item: AnswerFields,
  read: Pick<PlannedDraft, 'description' | 'context' | 'dependsOn'>,
  { clauseCount }: Place,
): PlannedDraft {
  const agent = textOf(item.agent)
  const choice = readChoice(item)
  return {
    ...read,
    files: textsOf(item.files),
    parallel: item.parallel !== false,
    priority: priorityOf(item.priority),
    successCriteria: textsOf(item.successCriteria),
    clauses: readClauses(item.clauses, clauseCount),
    ...(agent === '' ? {} : { agent }),
    ...(choice === undefined ? {} : { choice }),
  }
}

function readDependencies(value: unknown, { number, count }: Place): Result<readonly number[], string> {
  if (value === undefined || value === null) return success([])
  if (!Array.isArray(value)) {
    return failure(
      `\`dependsOn\` of task ${number} must be a list of task numbers, but it is ${kindOf(value)}`,
    )
  }
  const dependsOn = new Set<number>()
  for (const item of value) {
    const dependency = wholeNumberOf(item)
    if (dependency === undefined || dependency < 1 || dependency > count) {
      return failure(
        `\`dependsOn\` of task ${number} must contain numbers of tasks in this answer, from 1 to ${count}`,
      )
    }
    if (dependency === number) return failure(`task ${number} depends on itself`)
    dependsOn.add(dependency)
  }
  return success([...dependsOn])
}

/** An unknown clause is no reason to ask again: clauses only show people what a task is for. */
function readClauses(value: unknown, clauseCount: number): readonly number[] {
  const numbers = listOf(value).map(wholeNumberOf)
  const known = numbers.filter((number) => number !== undefined && number >= 1 && number <= clauseCount)
  return [...new Set(known)].flatMap((number) => number ?? []).sort((one, other) => one - other)
}

function priorityOf(value: unknown): Priority {
  return value === 'P0' || value === 'P2' ? value : 'P1'
}
