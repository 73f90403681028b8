import type { TaskId } from '../id.ts'

/** Where a task comes from: a planner thought of it, or work that could not be merged made it necessary. */
export type TaskOrigin =
  | { readonly type: 'planned' }
  | {
      readonly type: 'conflict'
      readonly taskId: TaskId
      /** The work that is to come in, all of it committed. */
      readonly tip: string
      readonly paths: readonly string[]
    }
