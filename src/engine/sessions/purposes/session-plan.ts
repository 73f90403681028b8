import type { ProjectId } from '../../../domain/id.ts'
import type { Ending } from '../../../domain/session/ending.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { Records, Store } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { Workplace } from './workplace.ts'

export type PlanNeeds = Pick<EngineNeeds, 'store' | 'settings' | 'clock' | 'roles'>
/** All that a look at other rows needs. */
export type StoreReader = { readonly store: Pick<Store, 'read'> }
export type ClearNeeds = Pick<
  EngineNeeds,
  'store' | 'trees' | 'branches' | 'disk' | 'settings' | 'log' | 'sendWork' | 'answerLetter'
>

export type Readiness =
  | { readonly type: 'ready' }
  /** Somebody else sends the start again when it can be. */
  | { readonly type: 'later' }
  | { readonly type: 'never'; readonly reason: string }

/** The commit that a session's work started from. */
export type WorkBase = { readonly projectId: ProjectId; readonly commit: string }

/** How a session ended. */
export type SessionOutcome = { readonly end: SessionEnd; readonly ending: Ending; readonly at: Date }

/**
 * What Muster does with a session because of what it is for. What follows from the purpose alone is in `rulesOf`.
 *
 * Contract: a plan is made from the session's row and holds no other state. Each function may be called any number of
 * times, also by a daemon that finds the session half started or half cleared. Undefined means that what the session
 * belonged to is gone. `whenStarted` and `whenEnded` run in the transaction that stores the start or the end.
 */
export interface SessionPlan {
  findWorkplace(needs: PlanNeeds): Promise<Workplace | undefined>
  findBase(needs: StoreReader): Promise<WorkBase | undefined>
  /** What its first program is asked, made from the rows. Throws while something it needs cannot be read. */
  firstPrompt(needs: PlanNeeds): Promise<string>
  /** Whether its program may start now. */
  readiness(needs: PlanNeeds): Promise<Readiness>
  /** What else starts with its program. */
  whenStarted(records: Records): Promise<void>
  /** What else ends with it; gives the work that follows. */
  whenEnded(records: Records, outcome: SessionOutcome): Promise<readonly Work[]>
  /** Whether somebody still needs what it left: its tree or its output. */
  isNeeded(needs: StoreReader): Promise<boolean>
  /** Keeps what must outlast it and removes the rest; its output is removed afterwards. Called when not needed. */
  clear(needs: ClearNeeds): Promise<void>
  /** The work that clears up after it. */
  readonly clearWork: Work
}
