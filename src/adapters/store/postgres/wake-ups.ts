import type { StreamId } from '../../../domain/id.ts'

/** Who wants to hear of which stream. A wake is a hint, never data. */
export type WakeUps = {
  subscribe(jobId: StreamId | 'all', onWake: () => void): Disposable
  wake(jobId: string): void
  wakeAll(): void
}

/** An older transaction may still hide what woke the feed of all jobs, and end without a sign: look again. */
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
