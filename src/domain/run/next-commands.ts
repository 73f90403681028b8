import type { ApprovalId } from '../id.ts'
import { isComplete } from '../playbook/route.ts'
import { findResumeEntry } from './fork-point.ts'
import type { Run } from './run.ts'
import type { RunError } from './run-errors.ts'
import type { Visit } from './visit.ts'

/** A command that a person may want to run next, and what for. */
export type NextCommand = { readonly purpose: string; readonly command: string }

type Ended = Pick<Run, 'id' | 'jobId' | 'state'>

/** What a person can do about a run that waits for them, or that ended without what was hoped for. */
export function nextCommands(
  run: Ended,
  visits: readonly Visit[],
  errors: readonly RunError[],
): readonly NextCommand[] {
  const { state } = run
  if (state.type === 'running') return openQuestions(visits).map(decision)
  if (state.type === 'asking') return [decision(state.approvalId)]
  const isGood = state.type === 'ended' && isComplete(state.end)
  return isGood ? [] : afterBadEnd(run, visits, errors)
}

function openQuestions(visits: readonly Visit[]): readonly ApprovalId[] {
  return visits.flatMap(({ state }) => (state.type === 'asking' ? [state.approvalId] : []))
}

function decision(approvalId: ApprovalId): NextCommand {
  return { purpose: 'decide what it waits for', command: `muster show ${approvalId}` }
}

function afterBadEnd(
  run: Ended,
  visits: readonly Visit[],
  errors: readonly RunError[],
): readonly NextCommand[] {
  const last = errors.at(-1)?.code
  const commands: readonly (readonly [isUseful: boolean, purpose: string, command: string])[] = [
    [last === 'AGENT_SPAWN_FAILED', 'see which agents can work', 'muster doctor'],
    [last === 'RATE_LIMITED', 'see who has quota', 'muster status'],
    [true, 'read what the agents said', `muster logs ${run.id}`],
    [visits.length > 0, 'try again from there', retry(run, visits)],
    [
      visits.some(({ commit }) => commit !== undefined),
      'get the work that was made',
      `muster recover ${run.id}`,
    ],
    [true, 'read the whole report', `muster report ${run.jobId}`],
  ]
  return commands.flatMap(([isUseful, purpose, command]) => (isUseful ? [{ purpose, command }] : []))
}

/** A run that lost its agent can be resumed. One that ended as its playbook says can only be forked. */
function retry(run: Ended, visits: readonly Visit[]): string {
  if (findResumeEntry(run, visits).ok) return `muster resume ${run.id}`
  return `muster fork ${run.id} --at ${visits.at(-1)?.stage ?? '1'}`
}
