import type { StreamId } from '../../../domain/id.ts'

/** Subscriptions to streams. A wake-up is only a hint to read the stream again. */
export type WakeUps = {
  subscribe(jobId: StreamId | 'all', onWake: () => void): Disposable
  wake(jobId: string): void
  wakeAll(): void
}

/** An older open transaction may still hide the new events from the feed of all jobs, so it reads again after this. */
const SECOND_LOOK_MS = 100

export function createWakeUps(): WakeUps {
  let isLookingAgain = false
  const waiting = new Map<string, Set<() => void>>()
  const call = (key: string) => {
    for (const onWake of waiting.get(key) ?? []) onWake()
  }
  return {
    subscribe(jobId, onWake) {
      const set = waiting.get(jobId) ?? new Set()
      waiting.set(jobId, set.add(onWake))
      return {
        [Symbol.dispose]() {
          set.delete(onWake)
          if (set.size === 0 && waiting.get(jobId) === set) waiting.delete(jobId)
        },
      }
    },
    wake(jobId) {
      call(jobId)
      if (!waiting.has('all')) return
      call('all')
      if (isLookingAgain) return
      isLookingAgain = true
      setTimeout(() => {
        isLookingAgain = false
        call('all')
      }, SECOND_LOOK_MS).unref()
    },
    wakeAll() {
      for (const key of [...waiting.keys()]) call(key)
    },
  }
}
