import type { MusterClient, WireWaiting } from '../client/index.ts'
import { PAGE_LIMIT } from '../client/read-all.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { taskName } from '../domain/task/task-name.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'
import { resolveId } from './resolve-id.ts'

const SHOWN = 10
const SENTENCE_LIMIT = 120

/**
 * The message that a person answers: by its ID, by the task or session that asked, or without a name if only one question
 * is open. Never guesses between several.
 */
export async function findQuestion(
  { surroundings, output }: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
): Promise<Result<string, Problem>> {
  if (text === undefined) {
    const open = await openQuestions(client)
    return open.ok ? onlyOne(open.value, 'no question is waiting for your answer') : open
  }
  const here = { cwd: surroundings.cwd, say: output.note }
  const found = await resolveId(client, text, ['message', 'task', 'session'], here)
  if (!found.ok) return found
  const { kind, id } = found.value
  if (kind === 'message') return success(id)
  return kind === 'task' ? questionOfTask(client, id) : questionOf(client, [id], id)
}

async function questionOfTask(client: MusterClient, taskId: string): Promise<Result<string, Problem>> {
  const [task, status] = await Promise.all([client.getTask(taskId), client.status()])
  if (!task.ok) return failure(apiProblem(task.failure))
  if (!status.ok) return failure(apiProblem(status.failure))
  const sessions = status.value.sessions.filter((session) => session.taskId === taskId)
  return questionOf(
    client,
    sessions.map(({ id }) => id),
    taskName(task.value),
  )
}

/** The open question of these sessions. */
async function questionOf(
  client: MusterClient,
  sessions: readonly string[],
  name: string,
): Promise<Result<string, Problem>> {
  const open = await openQuestions(client)
  if (!open.ok) return open
  const asked = await client.listMessages({ recipient: 'person', kind: 'question', limit: PAGE_LIMIT })
  if (!asked.ok) return failure(apiProblem(asked.failure))
  const own = new Set(asked.value.items.filter(({ from }) => sessions.includes(from)).map(({ id }) => id))
  return onlyOne(
    open.value.filter(({ id }) => own.has(id)),
    `${name} is not waiting for an answer`,
  )
}

/** Those that can still be answered: `muster status` lists no others. */
async function openQuestions(client: MusterClient): Promise<Result<readonly WireWaiting[], Problem>> {
  const status = await client.status()
  if (!status.ok) return failure(apiProblem(status.failure))
  return success(status.value.waiting.filter(({ id }) => id.startsWith('msg_')))
}

function onlyOne(open: readonly WireWaiting[], nothing: string): Result<string, Problem> {
  const [only, ...others] = open
  if (only === undefined) {
    return failure({
      type: 'nothing-asked',
      exitCode: EXIT.conflict,
      message: nothing,
      next: 'muster messages person --questions',
    })
  }
  if (others.length === 0) return success(only.id)
  const lines = open
    .slice(0, SHOWN)
    .map(({ id, why }) => `muster answer ${id} "..."  ${safeLine(why, SENTENCE_LIMIT)}`)
  const more = open.length > SHOWN ? [`and ${open.length - SHOWN} more: muster status`] : []
  return failure({
    type: 'several-asked',
    exitCode: EXIT.usage,
    message: `${open.length} questions are waiting for you; name one`,
    why: [...lines, ...more].join('\n'),
    next: 'muster messages person --questions',
  })
}
