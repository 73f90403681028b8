import type { ProjectId } from '../id.ts'
import type { Priority } from '../task/task.ts'
import { type Admission, admit, type StartRequest, type Usage, withAdmitted } from './admit.ts'

/**
 * The place of a request among everything that waits to start. What a person asked for goes first, then by task
 * priority (a job's discovery counts as P1). Within a priority, work in progress continues first, then finished work
 * is reviewed, then new work begins. Among equals, the longest wait goes first.
 */
export type Turn = {
  readonly isPersonal: boolean
  readonly priority: Priority
  readonly stage: 'continue' | 'review' | 'begin'
  readonly since: Date
  readonly id: string
}

const STAGES = { continue: 0, review: 1, begin: 2 }

export function compareTurns(one: Turn, other: Turn): number {
  return (
    Number(other.isPersonal) - Number(one.isPersonal) ||
    one.priority.localeCompare(other.priority) ||
    STAGES[one.stage] - STAGES[other.stage] ||
    one.since.getTime() - other.since.getTime() ||
    (one.id < other.id ? -1 : Number(one.id !== other.id))
  )
}

/** A place that is kept free for what follows an attempt that has ended. Only later turns leave it free. */
export type KeptPlace = {
  readonly turn: Turn
  readonly projectId: ProjectId
}

type Agent = StartRequest['agent']

export type Waiter = {
  readonly turn: Turn
  readonly request: StartRequest
  /** The agents to try, in this order, if the agent itself or its model can't take one more. */
  readonly substitutes?: readonly Agent[]
}

/** Decides every waiting request in turn order, so no one takes a place that an earlier request could use. */
export function admitInTurn<Request extends Waiter>(
  waiters: readonly Request[],
  usage: Usage,
  keptPlaces: readonly KeptPlace[] = [],
): readonly { readonly waiter: Request; readonly agent: Agent; readonly admission: Admission }[] {
  let current = usage
  return [...waiters]
    .sort((one, other) => compareTurns(one.turn, other.turn))
    .map((waiter) => {
      const isEarlier = ({ turn }: KeptPlace) => compareTurns(turn, waiter.turn) < 0
      const seen = { ...current, keptPlaces: keptPlaces.filter(isEarlier) }
      const request = firstFree(waiter, seen)
      const admission = admit(request, seen)
      if (admission.type === 'admitted') current = withAdmitted(request, current)
      return { waiter, agent: request.agent, admission }
    })
}

/** The request, for the first substitute that is free if only its own agent or model is in the way. */
function firstFree({ request, substitutes = [] }: Waiter, usage: Usage): StartRequest {
  const admission = admit(request, usage)
  const isAgentFull =
    admission.type === 'refused' && (admission.limit === 'agent' || admission.limit === 'model')
  if (!isAgentFull) return request
  const others = substitutes.map((agent) => ({ ...request, agent }))
  return others.find((other) => admit(other, usage).type === 'admitted') ?? request
}
