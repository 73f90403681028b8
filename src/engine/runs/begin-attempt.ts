import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { ContinuedConversation } from '../../domain/attempt/continued-conversation.ts'
import type { Job } from '../../domain/job/job.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import type { PlaybookRole } from '../../domain/playbook/playbook.ts'
import type { RoleStage } from '../../domain/playbook/stage.ts'
import { conversationFor } from '../../domain/run/conversation-for.ts'
import { nextVisitState } from '../../domain/run/next-visit-state.ts'
import { bestWork, newestWork, startOfRun } from '../../domain/run/run-work.ts'
import { seenVisits } from '../../domain/run/seen-visits.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import { decideStart } from '../admission/decide-starts.ts'
import { attemptWaiter } from '../admission/start-waiter.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { chooseMember } from './choose-member.ts'
import { earlierTries } from './earlier-tries.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit } from './store-visit.ts'

/** Gives a visit to an agent of its role. Its session waits if a limit is reached. */
export async function beginAttempt(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  visit: Visit,
  stage: RoleStage,
): Promise<Visit> {
  const { run, pinned } = loaded
  const role = pinned.playbook.roles[stage.role]
  const member = await chooseMember(records, loaded, visit, stage)
  const agent = job.plan.agents.find(({ name }) => name === member?.agent)
  const task = await records.tasks.find(run.taskId)
  if (role === undefined || member === undefined || agent === undefined || task === undefined) {
    const problem = `nobody is left for the role ${stage.role}`
    return (await settleVisit(needs, records, run, visit, { outcome: 'failed', problem })) ?? visit
  }
  const continues = await conversationOf(records, loaded, visit, { stage, role, agent })
  const attempt = newAttempt(needs, {
    job,
    purpose: {
      type: 'visit',
      taskId: run.taskId,
      runId: run.id,
      visitId: visit.id,
      makesWork: role.mode === 'write',
      judges: hasFormat(stage.output, 'review'),
    },
    role: stage.role,
    admittedAs: member.admittedAs,
    number: visit.tries + 1,
    agent,
    head: startOf(loaded, stage, visit),
    ...(continues === undefined ? {} : { continues }),
  })
  const { sessionId: id, createdAt: since } = attempt
  const waiter = attemptWaiter(job, attempt, { id, priority: task.priority, since, isResume: false })
  const admission = await decideStart(needs, records, waiter)
  await insertAttempt(needs, records, { attempt, admission })
  const state = nextVisitState(visit.state, { type: 'attempt-start' })
  if (!state.ok) throw new Error(`visit ${visit.id} was chosen and is ${visit.state.type}`)
  return await records.visits.save(
    { ...visit, state: state.value, attemptId: attempt.id, tries: visit.tries + 1 },
    { audit: { actor: 'engine', action: 'visit-begin', subject: visit.id, detail: { attempt: attempt.id } } },
  )
}

type Taker = { readonly stage: RoleStage; readonly role: PlaybookRole; readonly agent: AgentSpec }

async function conversationOf(
  records: Records,
  { run, visits }: LoadedRun,
  visit: Visit,
  { stage, role: { keepsSession }, agent }: Taker,
): Promise<ContinuedConversation | undefined> {
  if (!keepsSession && visit.tries === 0) return undefined
  const tries = await earlierTries(records, run)
  return conversationFor({ visit, role: stage.role, keepsSession, agent, visits, tries })
}

/** The commit that a visit's tree starts from. */
function startOf({ run, visits, pinned }: LoadedRun, { from, fanOut }: RoleStage, visit: Visit): string {
  if (from.type === 'head') return startOfRun(run)
  if (fanOut?.type === 'each') {
    const made = visits.find(({ id, commit }) => visit.inputs.includes(id) && commit !== undefined)
    if (made?.commit !== undefined) return made.commit
  }
  if (from.type === 'best') {
    const [best] = seenVisits(visits, { of: from.stage, field: 'best' })
    return best?.commit ?? bestWork(pinned.playbook, visits)?.commit ?? startOfRun(run)
  }
  return newestWork(pinned.playbook, visits)?.commit ?? startOfRun(run)
}
