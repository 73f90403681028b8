import type { MusterClient } from '../../client/index.ts'
import { runningWords } from '../render/job/base-lines.ts'
import { isCheckingBase, type Progress, withBaseCommand } from './progress.ts'

const INTERVAL_MS = 2_000

/** What is watched: the progress, and how to show it. */
export interface BaseWatched {
  readonly jobId: string
  readonly client: () => Pick<MusterClient, 'getBase'>
  readonly progress: () => Progress
  readonly show: (progress: Progress) => void
  readonly now: () => Date
}

/**
 * Shows which command runs while a base is checked. Several jobs may wait for the same check, so their events don't say
 * it, and it is asked for.
 */
export function watchBase(watched: BaseWatched, intervalMs = INTERVAL_MS): Disposable {
  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking || !isCheckingBase(watched.progress())) return
    isAsking = true
    void ask(watched).finally(() => {
      isAsking = false
    })
  }, intervalMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function ask({ jobId, client, progress, show, now }: BaseWatched): Promise<void> {
  const base = await client().getBase(jobId)
  const words = base.ok ? runningWords(base.value) : undefined
  // Meanwhile, the check may have ended.
  if (words === undefined || !isCheckingBase(progress())) return
  show(withBaseCommand(progress(), words, now().getTime()))
}
