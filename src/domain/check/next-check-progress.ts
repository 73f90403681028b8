import type { SessionId } from '../id.ts'
import type { CheckProgress } from './check-progress.ts'

export type CheckEvent =
  | { readonly type: 'check-next'; readonly sessionId: SessionId }
  /**
   * Runs all checks again in a new copy of the same tree, because each may need what the ones before it produced. A
   * check may have failed by chance, or its result was lost.
   */
  | { readonly type: 'check-again'; readonly sessionId: SessionId; readonly why: 'failed' | 'lost' }

/** The only place where the progress of checks changes; those who own checks call it for their own state. */
export function nextCheckProgress<P extends CheckProgress>(progress: P, event: CheckEvent): P {
  const { sessionId } = event
  if (event.type === 'check-next') return { ...progress, checkIndex: progress.checkIndex + 1, sessionId }
  const again = { ...progress, checkIndex: 0, sessionId }
  return event.why === 'failed'
    ? { ...again, suspects: [...progress.suspects, progress.checkIndex] }
    : { ...again, lost: progress.lost + 1 }
}
