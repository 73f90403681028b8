import type { AttemptFailure } from '../attempt/judge-attempt.ts'
import type { VisitTrouble } from '../playbook/playbook.ts'

/** The trouble of a visit whose attempt failed. Quota is not among them: its session waits, and the attempt goes on. */
const TROUBLES: Readonly<Record<AttemptFailure['cause'], VisitTrouble>> = {
  'agent-failed': 'crashed',
  'timed-out': 'timeout',
  'nothing-changed': 'invalid',
  refused: 'invalid',
  unstarted: 'unstartable',
  'setup-failed': 'unstartable',
  uncollected: 'uncollected',
}

export function troubleOf({ cause }: Pick<AttemptFailure, 'cause'>): VisitTrouble {
  return TROUBLES[cause]
}
