import type { ApprovalId } from '../id.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { isComplete } from '../playbook/route.ts'
import { findForkable, findResumeEntry } from './fork-point.ts'
import type { Run } from './run.ts'
import type { RunError } from './run-errors.ts'
import type { Visit } from './visit.ts'

/** A command that a person may want to run next, and what for. */
export type NextCommand = { readonly purpose: string; readonly command: string }

type Ended = {
  readonly run: Pick<Run, 'id' | 'jobId' | 'state'>
  readonly playbook: Pick<Playbook, 'stages'>
  readonly visits: readonly Visit[]
  readonly errors: readonly RunError[]
  /** Whether there are documents of its result. */
  readonly hasDocuments: boolean
  /** Whether there is work of it that has not landed. */
  readonly hasUnlandedWork: boolean
}

/** What a person can do about a run that waits for them, that left documents, or that ended badly. */
export function nextCommands(ended: Ended): readonly NextCommand[] {
  const { state } = ended.run
  if (state.type === 'running') return openQuestions(ended.visits).map(decision)
  if (state.type === 'asking') return [decision(state.approvalId)]
  const end = state.type === 'ended' ? state.end : undefined
  return isComplete(end) ? afterGoodEnd(ended, end === 'done') : afterBadEnd(ended)
}

function openQuestions(visits: readonly Visit[]): readonly ApprovalId[] {
  return visits.flatMap(({ state }) => (state.type === 'asking' ? [state.approvalId] : []))
}

function decision(approvalId: ApprovalId): NextCommand {
  return { purpose: 'decide what it waits for', command: `muster show ${approvalId}` }
}

/** Work is found where it landed. If there is none to land, the documents are all that there is to see. */
function afterGoodEnd({ run, hasDocuments }: Ended, isWithoutWork: boolean): readonly NextCommand[] {
  if (!isWithoutWork || !hasDocuments) return []
  return [{ purpose: 'read the whole result', command: `muster export ${run.id}` }]
}

function afterBadEnd(ended: Ended): readonly NextCommand[] {
  const { run, visits, errors, hasDocuments, hasUnlandedWork } = ended
  const last = errors.at(-1)?.code
  const hasMadeWork = visits.some(({ work }) => work !== undefined)
  const commands: readonly (readonly [isUseful: boolean, purpose: string, command: string])[] = [
    [last === 'AGENT_SPAWN_FAILED', 'see which agents can work', 'muster doctor'],
    [last === 'RATE_LIMITED', 'see who has quota', 'muster status'],
    [hasDocuments && !hasMadeWork, 'read what it wrote', `muster export ${run.id}`],
    [true, 'read what the agents said', `muster logs ${run.id}`],
    [visits.length > 0, 'try again from there', retry(ended)],
    [hasUnlandedWork, 'get the work that was made', `muster recover ${run.id}`],
    [true, 'read the whole report', `muster report ${run.jobId}`],
  ]
  return commands.flatMap(([isUseful, purpose, command]) => (isUseful ? [{ purpose, command }] : []))
}

/** A run that lost its agent can be resumed. One that ended as its playbook says can only be forked. */
function retry({ run, playbook, visits }: Ended): string {
  if (findResumeEntry(run, visits).ok) return `muster resume ${run.id}`
  const last = findForkable(playbook, visits)
  return `muster fork ${run.id} --at ${last?.stage ?? '1'}`
}
