import type { MusterClient, WireJobSummary, WireSession } from '../client/index.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'

const SHOWN = 6
const TITLE_LIMIT = 50

/** The session to attach to if none is named: the only one with a terminal. Never guesses between several. */
export async function onlyTerminal(client: MusterClient): Promise<Result<string, Problem>> {
  const status = await client.status()
  if (!status.ok) return failure(apiProblem(status.failure))
  const open = status.value.sessions.filter(({ mode }) => mode === 'interactive')
  const [only, ...others] = open
  if (only === undefined) {
    return failure({
      type: 'id-missing',
      exitCode: EXIT.usage,
      message: 'no session with a terminal is open',
      next: 'muster session start --interactive',
    })
  }
  return others.length === 0
    ? success(only.id)
    : failure(nameOne('attach to', 'session', open.map(sessionLine)))
}

/** What a command that ends something can be given. It chooses nothing itself. */
export async function nameToEnd(client: MusterClient, command: 'stop' | 'kill'): Promise<Problem> {
  const status = await client.status()
  if (!status.ok) return apiProblem(status.failure)
  const { sessions, jobs } = status.value
  const lines = [...jobs.map(jobLine), ...sessions.map(sessionLine)]
  if (lines.length > 0) return nameOne(command, 'session or job', lines)
  return {
    type: 'id-missing',
    exitCode: EXIT.usage,
    message: `there is nothing to ${command}: no session or job is open`,
    next: 'muster list sessions --all',
  }
}

function nameOne(command: string, what: string, lines: readonly string[]): Problem {
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more: muster status`] : []
  return {
    type: 'id-missing',
    exitCode: EXIT.usage,
    message: `name the ${what} to ${command}`,
    why: [...lines.slice(0, SHOWN), ...more].join('\n'),
    next: 'use one of these IDs',
  }
}

function jobLine({ id, title }: WireJobSummary): string {
  return `${id}  ${safeLine(title, TITLE_LIMIT)}`
}

function sessionLine({ id, agent, role }: WireSession): string {
  return `${id}  ${safeLine(agent)}${role === undefined ? '' : ` (${safeLine(role)})`}`
}
