import type { MusterClient, WireApproval } from '../client/index.ts'
import { PAGE_LIMIT } from '../client/read-all.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { taskName } from '../domain/task/task-name.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine, visibleLine } from './render/text/safe-text.ts'
import { resolveId } from './resolve-id.ts'

type Verb = 'approve' | 'deny'

const SHOWN = 10
const SENTENCE_LIMIT = 120

/**
 * The approval that a person means: by its ID, by the task that waits for it, or without a name if only one is
 * pending. Never guesses between several.
 */
export async function findApproval(
  { surroundings, output }: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
  verb: Verb,
): Promise<Result<WireApproval, Problem>> {
  if (text === undefined) return onlyPending(client, verb)
  const here = { cwd: surroundings.cwd, say: output.note }
  const found = await resolveId(client, text, ['approval', 'task'], here)
  if (!found.ok) return found
  if (found.value.kind === 'task') return pendingOfTask(client, found.value.id, verb)
  const approval = await client.getApproval(found.value.id)
  return approval.ok ? approval : failure(apiProblem(approval.failure))
}

async function onlyPending(client: MusterClient, verb: Verb): Promise<Result<WireApproval, Problem>> {
  const page = await client.listApprovals({ limit: PAGE_LIMIT })
  if (!page.ok) return failure(apiProblem(page.failure))
  return onlyOne(page.value.items, verb, 'nothing is waiting for your approval')
}

async function pendingOfTask(
  client: MusterClient,
  taskId: string,
  verb: Verb,
): Promise<Result<WireApproval, Problem>> {
  const task = await client.getTask(taskId)
  if (!task.ok) return failure(apiProblem(task.failure))
  const page = await client.listApprovals({ job: task.value.jobId, limit: PAGE_LIMIT })
  if (!page.ok) return failure(apiProblem(page.failure))
  const name = taskName(task.value)
  const own = page.value.items.filter((approval) => isAbout(approval, name))
  return onlyOne(own, verb, `${name} is not waiting for your approval`)
}

function isAbout({ task, action }: WireApproval, name: string): boolean {
  return task === name || (action.type === 'landing' && action.tasks.some((landing) => landing.name === name))
}

function onlyOne(
  pending: readonly WireApproval[],
  verb: Verb,
  nothing: string,
): Result<WireApproval, Problem> {
  const [only, ...others] = pending
  if (only === undefined) {
    return failure({
      type: 'nothing-pending',
      exitCode: EXIT.conflict,
      message: nothing,
      next: 'muster approvals --all',
    })
  }
  if (others.length === 0) return success(only)
  // Oldest first, as they were asked.
  const shown = pending.toReversed().slice(0, SHOWN)
  const more = pending.length > SHOWN ? [`and ${pending.length - SHOWN} more: muster approvals`] : []
  return failure({
    type: 'several-pending',
    exitCode: EXIT.usage,
    message: `${pending.length} requests are waiting for you; name one`,
    why: [...shown.map(({ id, summary }) => `muster ${verb} ${id}  ${brief(summary)}`), ...more].join('\n'),
    next: 'muster approvals',
  })
}

function brief(summary: string): string {
  return safeLine(visibleLine(summary), SENTENCE_LIMIT)
}
