import type { MusterClient, WireSession } from '../client/index.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { taskName } from '../domain/task/task-name.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Outcome, Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'
import { resolveId } from './resolve-id.ts'
import { withDaemon } from './with-daemon.ts'

/** The command that is run, and what follows the session in it. */
type Wanted = { readonly verb: 'send' | 'interrupt' | 'suspend'; readonly rest?: string }

const SHOWN = 6

/**
 * Runs `work` with the session that `text` names: by its ID, or by the task that it works on. Never guesses between
 * several sessions of a task.
 */
export async function withSession(
  needs: CommandNeeds,
  text: string,
  wanted: Wanted,
  work: (client: MusterClient, id: string) => Promise<Outcome>,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
    const found = await resolveId(client, text, ['session', 'task'], here)
    if (!found.ok) return found
    const { kind, id } = found.value
    if (kind === 'session') return work(client, id)
    const session = await liveSessionOf(client, id, wanted)
    return session.ok ? work(client, session.value) : session
  })
}

async function liveSessionOf(
  client: MusterClient,
  taskId: string,
  { verb, rest = '' }: Wanted,
): Promise<Result<string, Problem>> {
  const [task, status] = await Promise.all([client.getTask(taskId), client.status()])
  if (!task.ok) return failure(apiProblem(task.failure))
  if (!status.ok) return failure(apiProblem(status.failure))
  const name = taskName(task.value)
  const live = status.value.sessions.filter((session) => session.taskId === taskId)
  const [only, ...others] = live
  if (only === undefined) return failure(noSession(name, taskId, task.value.jobId))
  if (others.length === 0) return success(only.id)
  const lines = live.slice(0, SHOWN).map((session) => `muster ${verb} ${session.id}${rest}  ${who(session)}`)
  return failure({
    type: 'several-sessions',
    exitCode: EXIT.usage,
    message: `${live.length} sessions work on ${name}; name one`,
    why: lines.join('\n'),
    next: `muster list sessions --job ${task.value.jobId}`,
  })
}

function noSession(name: string, taskId: string, jobId: string): Problem {
  return {
    type: 'no-session',
    exitCode: EXIT.conflict,
    message: `no session works on ${name} now`,
    next: `muster show ${taskId}, or: muster list sessions --job ${jobId} --all`,
  }
}

function who({ agent, role }: WireSession): string {
  return `${safeLine(agent)} (${safeLine(role)})`
}
