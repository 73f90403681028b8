import type { ProjectId } from '../../../domain/id.ts'
import type { Ending } from '../../../domain/session/ending.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { Records, Store } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { Workplace } from './workplace.ts'

export type PlanNeeds = Pick<EngineNeeds, 'store' | 'settings' | 'clock' | 'assignments'>
/** What reading other rows needs. */
export type StoreReader = { readonly store: Pick<Store, 'read'> }
export type ClearNeeds = Pick<
  EngineNeeds,
  'store' | 'trees' | 'branches' | 'disk' | 'settings' | 'clock' | 'log' | 'sendWork' | 'answerMessage'
>

export type Readiness =
  | { readonly type: 'ready' }
  /** Whoever makes the start possible sends it again. */
  | { readonly type: 'later' }
  | { readonly type: 'never'; readonly reason: string }

/** The commit that a session's work started from. */
export type WorkBase = { readonly projectId: ProjectId; readonly commit: string }

/** How a session ended. */
export type SessionOutcome = { readonly end: SessionEnd; readonly ending: Ending; readonly at: Date }

/**
 * What Muster does with a session because of what it is for. Rules that follow from the purpose alone are in
 * `rulesOf`.
 *
 * Contract: a plan is made from the session's row and holds no other state. Each function may be called any number of
 * times, even by a daemon that finds the session half started or half cleaned up. Undefined means that what the
 * session belonged to is gone. `whenStarted` and `whenEnded` run in the transaction that stores the start or the end.
 */
export interface SessionPlan {
  findWorkplace(needs: PlanNeeds): Promise<Workplace | undefined>
  findBase(needs: StoreReader): Promise<WorkBase | undefined>
  /**
   * The prompt for its first program, built from the rows. Throws while something it needs can't be read. `isWhole`: it
   * must be enough for a new conversation, even if the session continues one.
   */
  firstPrompt(needs: PlanNeeds, options?: { readonly isWhole: boolean }): Promise<string>
  /** Whether its program may start now. */
  readiness(needs: PlanNeeds): Promise<Readiness>
  /** What else changes when its program starts. */
  whenStarted(records: Records): Promise<void>
  /** What else changes when it ends. Returns the work that follows. */
  whenEnded(records: Records, outcome: SessionOutcome): Promise<readonly Work[]>
  /** The work that follows when its agent can't go on for now: it is suspended, or asks a person for permission. */
  whenBlocked?(records: Records): Promise<readonly Work[]>
  /** Asks its agent to finish because its time is over. Returns how much longer it may take, or undefined to stop it. */
  nudge?(needs: PlanNeeds): Promise<number | undefined>
  /** Whether anything still needs its tree or output. */
  isNeeded(needs: StoreReader): Promise<boolean>
  /** Keeps what must outlast the session and removes its tree; the caller removes its output. Only if not needed. */
  clear(needs: ClearNeeds): Promise<void>
  /** The work that clears up after it. */
  readonly clearWork: Work
}
