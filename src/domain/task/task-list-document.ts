import { assertNever } from '../assert-never.ts'
import type { Task } from './task.ts'

/** TASKLIST.md, written from the rows alone: the same rows always give the same text. */
export function taskListDocument(tasks: readonly Task[]): string {
  const cycles = [...new Set(tasks.map((task) => task.cycleNumber))].sort((one, other) => one - other)
  const sections = cycles.map((cycle) => {
    const lines = tasks.filter((task) => task.cycleNumber === cycle).map(line)
    return `## Cycle ${cycle}\n\n${lines.join('\n')}\n`
  })
  return `# Task list\n\nKept by Muster; rewritten after every cycle.\n\n${sections.join('\n')}`
}

function line(task: Task): string {
  const mark = task.state.type === 'completed' ? 'x' : ' '
  const title = task.description.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return `- [${mark}] ${task.cycleNumber}.${task.number} (${task.priority}) ${title}${outcome(task)}`
}

function outcome(task: Task): string {
  switch (task.state.type) {
    case 'completed':
      return ` — landed as ${task.state.commit.slice(0, 10)}`
    case 'failed':
    case 'blocked':
    case 'skipped':
      return ` — ${task.state.type}: ${firstLine(task.state.reason)}`
    case 'pending':
    case 'running':
    case 'landing':
      return ''
    default:
      return assertNever(task.state)
  }
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200)
}
