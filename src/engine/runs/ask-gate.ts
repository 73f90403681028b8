import type { Approval, ApprovalAsker } from '../../domain/approval/approval.ts'
import type { GateAction } from '../../domain/approval/approval-action.ts'
import { approvalRequested } from '../../domain/event/approval-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { RunEnd } from '../../domain/playbook/route.ts'
import type { GateStage } from '../../domain/playbook/stage.ts'
import { denyingGate } from '../../domain/run/denied-work.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import { questionAboutEnd } from '../../domain/run/question-about-end.ts'
import { withStoppedClock } from '../../domain/run/run-clock.ts'
import type { RunHistory } from '../../domain/run/run-history.ts'
import { commitOfRun, type RunWork } from '../../domain/run/run-work.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import { loadHistory } from '../loaded-runs/load-history.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { shownTexts } from './shown-texts.ts'
import { storeVisit } from './store-visit.ts'

/** Asks a person whether a run may go on. The visit waits for the answer, without any program. */
export async function askGate(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  visit: Visit,
  { ask, shows, hours }: GateStage,
): Promise<Visit> {
  const { run, visits, pinned } = loaded
  const commit = commitOfRun(pinned.playbook, run, visits)
  const history = await loadHistory(records, loaded)
  const shown = [...deniedBefore(history, commit), ...shownTexts(run, visits, shows)]
  const approval = approvalOf(needs, job, loaded, {
    asker: { type: 'visit', runId: run.id, visitId: visit.id },
    question: { stage: visit.stage, ask, shows: shown, commit },
    hours,
  })
  await storeApproval(needs, records, approval, loaded)
  const asking = await storeVisit(
    records,
    { ...visit, ...(commit === undefined ? {} : { commit }) },
    { type: 'gate-ask', approvalId: approval.id },
  )
  needs.crash.reach('run.before-gate')
  return asking ?? visit
}

/** A person who allows work must know that it was denied before, because allowing it lets it land. */
function deniedBefore(history: RunHistory, commit: string | undefined): GateAction['shows'] {
  const works = commit === undefined ? history.own.flatMap(({ visit }) => visit.commit ?? []) : [commit]
  const gates = works.flatMap((work) => denyingGate(history, work) ?? [])
  const [gate] = gates
  if (gate === undefined) return []
  const happened = outcomeOf(gate) === 'denied' ? 'was denied at' : 'was not approved in time at'
  const text = `This work ${happened} ${gate.stage}. If you allow it here, it can still land.`
  return [{ name: 'denied before', text }]
}

export type EndedWork = { readonly end: RunEnd; readonly work: RunWork; readonly reason: string }

/** Asks whether work that is only partial, or that nobody judged, is to land. */
export async function askAboutWork(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  { end, work, reason }: EndedWork,
): Promise<void> {
  const { run, visits } = loaded
  const denied = deniedBefore(await loadHistory(records, loaded), work.commit)
  const approval = approvalOf(needs, job, loaded, {
    asker: { type: 'run', runId: run.id },
    question: {
      stage: `end.${end}`,
      ask: questionAboutEnd(end, visits),
      shows: [...denied, { name: 'why it is not complete', text: reason }],
      commit: work.commit,
    },
    hours: APPROVAL_LIMITS.landingDays * 24,
  })
  await storeApproval(needs, records, approval, loaded)
  const state = nextRunState(run.state, {
    type: 'run-ask',
    end,
    work: work.by.id,
    approvalId: approval.id,
    reason,
  })
  if (!state.ok) throw new Error(`run ${run.id} is ${run.state.type} and cannot ask`)
  await records.runs.save(
    { ...withStoppedClock(run, needs.clock.now()), state: state.value },
    {
      audit: { actor: 'engine', action: 'run-ask', subject: run.id, detail: { end } },
      // The job's clock stops too, if nothing else of it goes on.
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
  needs.crash.reach('run.before-gate')
}

type Question = {
  readonly asker: ApprovalAsker
  readonly question: Pick<GateAction, 'stage' | 'ask' | 'shows' | 'isTrouble'> & {
    readonly commit: string | undefined
  }
  readonly hours: number
}

/** The digest covers everything that the answer decides about: another visit, work or playbook needs another answer. */
export function approvalOf(
  needs: RunNeeds,
  job: Job,
  { run }: Pick<LoadedRun, 'run'>,
  { asker, question, hours }: Question,
): Approval {
  const now = needs.clock.now()
  const action: GateAction = withoutUndefined({
    type: 'gate' as const,
    runId: run.id,
    playbook: run.playbook.name,
    ...question,
    directory: job.repositoryPath,
  })
  return {
    id: needs.ids.next('approval'),
    jobId: job.id,
    asker,
    digest: canonicalDigest({ tool: 'gate', ...asker, hash: run.playbook.hash, ...question }),
    action,
    state: { type: 'pending' },
    version: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + hours * 3_600_000),
  }
}

export async function storeApproval(
  needs: RunNeeds,
  records: Records,
  approval: Approval,
  { run }: Pick<LoadedRun, 'run'>,
): Promise<void> {
  const { action } = approval
  await records.approvals.insert(approval, {
    audit: {
      actor: 'engine',
      action: 'approval-request',
      subject: approval.id,
      detail: { tool: 'gate', digest: approval.digest },
    },
    events: [
      approvalRequested(approval, `the playbook ${run.playbook.name}`, {
        taskId: run.taskId,
        // Events stay small: the row has what is shown.
        action: action.type === 'gate' ? { ...action, shows: [] } : action,
      }),
    ],
  })
  needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId: approval.id })
}
