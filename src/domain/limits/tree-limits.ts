/** Working trees and the disk that they need. Comments name the variable that overrides a limit. */
export const TREE_LIMITS = {
  /** Unused trees kept ready for a project while one of its jobs runs; `MUSTER_WARM_TREES`. */
  warmTrees: 2,
  /** Free disk needed to start a job; `MUSTER_MINIMUM_FREE_MB`. */
  minimumFreeMb: 200,
} as const
