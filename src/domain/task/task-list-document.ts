import { assertNever } from '../assert-never.ts'
import type { Cycle } from '../cycle/cycle.ts'
import { plainLine } from './plain-line.ts'
import type { Task } from './task.ts'

export type TaskListSight = {
  readonly tasks: readonly Task[]
  readonly cycles: readonly Pick<Cycle, 'number' | 'summary'>[]
  /** What the person wants done, in their words. */
  readonly wantedTasks: string
}

const MAX_TITLE = 200
const MAX_DETAIL = 300

/** TASKLIST.md, written from the rows alone: the same rows always give the same text. */
export function taskListDocument({ tasks, cycles, wantedTasks }: TaskListSight): string {
  const numbers = [
    ...new Set(
      [...cycles, ...tasks.map(({ cycleNumber }) => ({ number: cycleNumber }))].map(({ number }) => number),
    ),
  ]
  const sections = numbers
    .sort((one, other) => one - other)
    .map((number) => cycleSection(number, tasks, cycles.find((cycle) => cycle.number === number)?.summary))
  return `${['# Task list', 'Kept by Muster; rewritten after every cycle.', ...wantedSection(wantedTasks), ...sections].join('\n\n')}\n`
}

/** Quoted as it stands: whatever it holds, headings and fences too, ends where the quotation ends. */
function wantedSection(wantedTasks: string): readonly string[] {
  const text = wantedTasks.trim()
  if (text === '') return []
  const lines = text.split(/\r\n|\r|\n/).map((line) => `> ${line}`.trimEnd())
  return ['## Wanted', lines.join('\n')]
}

function cycleSection(number: number, tasks: readonly Task[], summary: string | undefined): string {
  const own = tasks.filter(({ cycleNumber }) => cycleNumber === number)
  const lines = own.flatMap(taskLines)
  const head = summary === undefined ? undefined : plainLine(summary.split('\n', 1)[0] ?? '', MAX_DETAIL)
  return [
    `## Cycle ${number}`,
    ...(head ? [head] : []),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ].join('\n\n')
}

function taskLines(task: Task): readonly string[] {
  const mark = task.state.type === 'completed' ? 'x' : ' '
  const title = plainLine(task.description, MAX_TITLE)
  return [
    `- [${mark}] ${task.cycleNumber}.${task.number} (${task.priority}) ${title}${outcome(task)}`,
    ...task.successCriteria.map((criterion, index) => criterionLine(task, criterion, index + 1)),
    ...suggestionLines(task),
  ]
}

function criterionLine(task: Task, criterion: string, number: number): string {
  // A reviewer's word counts for more than that of who did the work.
  const results = task.criteria.filter((result) => result.number === number)
  const result = results.find(({ by }) => by === 'reviewer') ?? results.at(-1)
  const evidence = result === undefined ? '' : plainLine(result.evidence, MAX_DETAIL)
  const why = evidence === '' ? '' : ` — ${result?.by}: ${evidence}`
  return `  - [${result?.isMet === true ? 'x' : ' '}] ${plainLine(criterion, MAX_TITLE)}${why}`
}

function suggestionLines({ state }: Task): readonly string[] {
  const suggestion = state.type === 'blocked' || state.type === 'failed' ? state.suggestion : undefined
  return suggestion === undefined ? [] : [`  - what may help: ${plainLine(suggestion, MAX_DETAIL)}`]
}

function outcome(task: Task): string {
  switch (task.state.type) {
    case 'completed':
      return ` — landed as ${task.state.commit.slice(0, 10)}`
    case 'failed':
    case 'blocked':
    case 'skipped':
      return ` — ${task.state.type}: ${plainLine(task.state.reason.split('\n', 1)[0] ?? '', MAX_TITLE)}`
    case 'pending':
    case 'running':
    case 'review':
    case 'landing':
      return ''
    default:
      return assertNever(task.state)
  }
}
