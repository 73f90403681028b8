import type { AttemptPurpose } from '../attempt/attempt-purpose.ts'

/** The role of each kind of attempt that a job makes by itself. */
export const ROLE_FOR = {
  discovery: 'planner',
  task: 'worker',
  review: 'reviewer',
} as const satisfies Partial<Record<AttemptPurpose['type'], string>>

/**
 * The roles of an agent whose configuration lists none. A personal session takes its agent's first role, so the worker
 * comes first.
 */
export const USUAL_ROLES: readonly string[] = [ROLE_FOR.task, ROLE_FOR.discovery]

/** The roles of a plain model that is used as an agent: its prompt has all it needs, and it changes no files. */
export const MODEL_ROLES: readonly string[] = [ROLE_FOR.discovery, ROLE_FOR.review]
