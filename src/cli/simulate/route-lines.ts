import type { WireEvent, WirePlaybook } from '../../client/index.ts'
import { describeTarget } from '../../domain/playbook/route.ts'
import { type Counters, routeVisit } from '../../domain/run/route-visit.ts'
import { visitLabel } from '../../domain/run/visit-label.ts'
import { branchesOutcome } from './branches-outcome.ts'

/** One entry into a stage: what it ended with and where that led. */
export type RouteStep = {
  readonly stage: string
  readonly round: number
  /** The outcomes of its branches, if it fans out. */
  readonly branches: readonly string[]
  readonly outcome: string
  readonly to: string
  readonly counters: Counters
  /** The limited route that had been taken often enough. */
  readonly exhausted?: string
}

type Entered = { readonly stage: string; readonly round: number; readonly branches: number }

/** Turns the events of a run into its route. A stage that decides by itself, such as a choice, ends when it is entered. */
export function createRouteReader(playbook: WirePlaybook): (event: WireEvent) => readonly RouteStep[] {
  let runId: string | undefined
  let counters: Counters = {}
  const open: (Entered & { readonly outcomes: string[] })[] = []
  const close = (next: string): readonly RouteStep[] => {
    const entry = open.shift()
    const stage = entry === undefined ? undefined : playbook.stages[entry.stage]
    if (entry === undefined || stage === undefined) return []
    const { stage: name, round, outcomes } = entry
    const outcome = branchesOutcome(stage, outcomes)
    // A stage without an event of its end was decided at once, and its target is what was entered next.
    if (outcome === undefined) return [{ stage: name, round, branches: [], outcome: '', to: next, counters }]
    const routed = routeVisit(playbook, counters, name, outcome)
    counters = routed.counters
    const { exhausted } = routed
    const to = describeTarget(routed.to)
    const branches = entry.branches > 1 ? outcomes : []
    return [
      {
        stage: name,
        round,
        branches,
        outcome,
        to,
        counters,
        ...(exhausted === undefined ? {} : { exhausted }),
      },
    ]
  }
  return (event) => {
    if (event.type === 'run_started') runId ??= event.data.runId
    if (event.type === 'stage_entered' && event.data.runId === runId) {
      const steps = close(event.data.stage)
      open.push({ ...event.data, outcomes: [] })
      return steps
    }
    if (event.type === 'stage_ended' && event.data.runId === runId) {
      open.at(-1)?.outcomes.push(event.data.outcome)
    }
    const end = endOf(event, runId)
    return end === undefined ? [] : close(end)
  }
}

/** How the run ended, if this event ends it. */
function endOf(event: WireEvent, runId: string | undefined): string | undefined {
  if (event.type !== 'run_ended' && event.type !== 'run_cancelled') return undefined
  if (event.data.runId !== runId) return undefined
  return event.type === 'run_ended' ? `end.${event.data.end}` : 'cancelled'
}

/** Stages and outcomes are plain words, so the line can be printed as it is: "review (round 2)  NEEDS_REVISION -> revise  (1 of 3)". */
export function routeLine(playbook: WirePlaybook, step: RouteStep, width: number): string {
  const name = visitLabel({ ...step, branch: 0 }).padEnd(width)
  const branches = step.branches.length === 0 ? '' : ` (${step.branches.join(', ')})`
  const outcome = step.outcome === '' ? '' : `${step.outcome}${branches} `
  return `${name}  ${outcome}-> ${step.to}${countOf(playbook, step)}`
}

function countOf({ stages }: WirePlaybook, { stage, outcome, counters, exhausted }: RouteStep): string {
  if (exhausted !== undefined) return '  (its limit is used up)'
  const entered = stages[stage]
  const route = entered === undefined || entered.type === 'choose' ? undefined : entered.on[outcome]
  return route?.type === 'limited' ? `  (${counters[`${stage}.${outcome}`] ?? 0} of ${route.max})` : ''
}
