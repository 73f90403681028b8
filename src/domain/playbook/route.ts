/** How a run can end. Only `land` claims that its work is finished and was judged. */
export type RunEnd = (typeof RUN_ENDS)[number]

export const RUN_ENDS = ['land', 'done', 'unverified', 'partial', 'failed'] as const

/** Whether a run did what it was for. */
export function isComplete(end: RunEnd | undefined): boolean {
  return end === 'land' || end === 'done'
}

/** Where a route leads: to a stage, or to an end of the run. */
export type Target =
  | { readonly type: 'stage'; readonly stage: string }
  | { readonly type: 'end'; readonly end: RunEnd }

/** What follows an outcome (`routeVisit` takes it). Only a limited route may lead back, so every run ends. */
export type Route =
  | { readonly type: 'always'; readonly to: Target }
  /** Leads to `to` the first `max` times in a run, and to `beyond` from there on. */
  | { readonly type: 'limited'; readonly to: Target; readonly max: number; readonly beyond: Target }

/** Routes by the outcome of their stage. */
export type Routes = Readonly<Record<string, Route>>

/** The route of an outcome; undefined if the playbook has none. */
export function routeOf(routes: Routes, outcome: string): Route | undefined {
  return Object.hasOwn(routes, outcome) ? routes[outcome] : undefined
}

const END = 'end.'

/** Reads a target as a playbook writes it: the name of a stage, or `end.land`. Undefined if there is no such end. */
export function readTarget(text: string): Target | undefined {
  if (!text.startsWith(END)) return { type: 'stage', stage: text }
  const end = RUN_ENDS.find((word) => word === text.slice(END.length))
  return end === undefined ? undefined : { type: 'end', end }
}

export function describeTarget(target: Target): string {
  return target.type === 'stage' ? target.stage : `${END}${target.end}`
}
