import type { Job } from '../../domain/job/job.ts'
import { PLAYBOOK_DEFAULTS } from '../../domain/limits/run-limits.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Records } from '../../ports/store/store.ts'
import { approvalOf, storeApproval } from './ask-gate.ts'
import type { AskedVisit } from './find-asked.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeVisit } from './store-visit.ts'

/**
 * Asks a person what to do about a visit in trouble. Allowed: it is tried again. Denied, or without an answer: its outcome
 * is `failed`. Denied with `abort`: the run ends.
 */
export async function askAboutTrouble(
  needs: RunNeeds,
  records: Records,
  job: Job,
  asked: AskedVisit,
  { code, reason }: TroubleRecord,
): Promise<void> {
  const { run, visit, stage } = asked
  const tried = visit.troubles.map(({ at, code: each, action }) => `${at} ${each}: ${action}`)
  const approval = approvalOf(needs, job, asked, {
    // One visit can be in trouble again after it was tried again.
    asker: { type: 'trouble', runId: run.id, visitId: visit.id, number: visit.troubles.length },
    question: {
      stage: visit.stage,
      ask: `The ${stage.role} can't complete the stage ${visit.stage} (${code}). Try again?`,
      shows: [
        { name: 'what went wrong', text: reason },
        { name: 'what was tried', text: tried.join('\n') },
      ],
      isTrouble: true,
      commit: visit.commit,
    },
    hours: PLAYBOOK_DEFAULTS.gateHours,
  })
  await storeApproval(needs, records, approval, asked)
  await storeVisit(records, visit, { type: 'visit-escalate', approvalId: approval.id })
  needs.crash.reach('run.before-escalation')
}
