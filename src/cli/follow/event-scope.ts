import { type ApiError, FollowError, type MusterClient } from '../../client/index.ts'
import type { WireEvent, WireEventPage } from '../../contract/event.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { FoundId } from '../resolve-id.ts'
import { jobEvents, sessionEvents } from './resilient-events.ts'

/** Whose events: a job's, a task's or a session's. */
export type EventScope =
  | { readonly type: 'job'; readonly jobId: string; readonly task?: string }
  | { readonly type: 'session'; readonly sessionId: string }

export async function scopeOf(client: MusterClient, found: FoundId): Promise<Result<EventScope, Problem>> {
  switch (found.kind) {
    case 'job':
      return success({ type: 'job', jobId: found.id })
    case 'task': {
      const task = await client.getTask(found.id)
      return task.ok
        ? success({ type: 'job', jobId: task.value.jobId, task: found.id })
        : failure(apiProblem(task.failure))
    }
    case 'run': {
      const run = await client.getRun(found.id)
      return run.ok
        ? success({ type: 'job', jobId: run.value.jobId, task: run.value.taskId })
        : failure(apiProblem(run.failure))
    }
    case 'session':
      return success({ type: 'session', sessionId: found.id })
    case 'landing':
    case 'approval':
      return failure({
        type: 'id-unusable',
        exitCode: EXIT.usage,
        message: `${found.id} has no events`,
        next: `muster show ${found.id}`,
      })
    default:
      return assertNever(found.kind)
  }
}

export type Span = {
  /** Only this many of the latest events; if absent, all. */
  readonly tail?: number | undefined
  /** Only events after this sequence number. Not used together with `tail`. */
  readonly after?: number | undefined
  readonly follow: boolean
}

const PAGE = 1000

/** Yields the events of a scope, oldest first, then new ones if `follow` is set. Throws FollowError. */
export async function* scopedEvents(
  needs: CommandNeeds & { readonly link: DaemonLink },
  scope: EventScope,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  const { link, output } = needs
  const after = yield* storedEvents(link.client, scope, span, signal)
  if (!span.follow) return
  const following = { link, say: output.note }
  const events =
    scope.type === 'session'
      ? sessionEvents(following, scope.sessionId, signal, after)
      : jobEvents(following, scope.jobId, signal, after)
  for await (const event of events) {
    if (isWithin(event, scope)) yield event
  }
}

/** Returns the sequence number up to which it read. */
async function* storedEvents(
  client: MusterClient,
  scope: EventScope,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, number> {
  let place = span.after ?? 0
  for (;;) {
    const part = span.tail === undefined ? { after: place, limit: PAGE } : { tail: span.tail }
    const page = await pageOf(client, scope, { ...part, signal })
    if (!page.ok) throw new FollowError(page.failure)
    yield* page.value.items
    place = page.value.lastSeq ?? place
    if (span.tail !== undefined || page.value.items.length < PAGE) return place
  }
}

type Part = { readonly signal: AbortSignal } & (
  | { readonly after: number; readonly limit: number }
  | { readonly tail: number }
)

function pageOf(
  client: MusterClient,
  scope: EventScope,
  part: Part,
): Promise<Result<WireEventPage, ApiError>> {
  if (scope.type === 'session') return client.listSessionEvents(scope.sessionId, part)
  return client.listEvents(scope.jobId, { ...part, task: scope.task })
}

function isWithin(event: WireEvent, scope: EventScope): boolean {
  return scope.type === 'session' || scope.task === undefined || event.taskId === scope.task
}
