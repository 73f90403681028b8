import type { Approval } from '../../domain/approval/approval.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { CandidateState } from '../../domain/landing/candidate-state.ts'
import type { CandidateEvent } from '../../domain/landing/next-candidate-state.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { storeCandidate, withCandidate } from './store-candidate.ts'

type Asking = Extract<CandidateState, { type: 'asking' }>

/** Takes up what a person has decided about a candidate. False while they have not. */
export async function judgeApproval(
  needs: LandingNeeds,
  candidate: Candidate,
  { approvalId }: Asking,
): Promise<boolean> {
  const approval = await needs.store.read.approvals.find(approvalId)
  const event = eventOf(approval)
  if (event === undefined) return false
  return withCandidate(needs, candidate, (records) => storeCandidate(needs, records, candidate.id, { event }))
}

function eventOf(approval: Approval | undefined): CandidateEvent | undefined {
  switch (approval?.state.type) {
    case 'pending':
      return undefined
    case 'allowed':
      return { type: 'approval-allow' }
    case 'denied':
      return { type: 'approval-deny', reason: `denied by ${approval.state.by}: ${approval.state.reason}` }
    case 'expired':
      return { type: 'approval-deny', reason: 'nobody allowed it in time' }
    default:
      return { type: 'approval-deny', reason: 'the question went away' }
  }
}
