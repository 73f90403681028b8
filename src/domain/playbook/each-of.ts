import type { Stage } from './stage.ts'

/** The stage whose pieces of work a stage takes up one by one; undefined if it doesn't. */
export function eachOf(stage: Stage): string | undefined {
  if (stage.type === 'checks') return stage.each
  if (stage.type !== 'role' || stage.fanOut?.type !== 'each') return undefined
  return stage.fanOut.stage
}
