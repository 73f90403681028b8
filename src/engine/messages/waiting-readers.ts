import type { SessionId } from '../../domain/id.ts'

/** The sessions that wait for a message right now. A wake-up is only a hint to look again. */
export type WaitingReaders = {
  subscribe(sessionId: SessionId, onWake: () => void): Disposable
  wake(readers: readonly SessionId[]): void
}

/** Lives in memory: a wait ends with its request, and a request ends with the daemon. */
export function createWaitingReaders(): WaitingReaders {
  const waiting = new Map<SessionId, Set<() => void>>()
  return {
    subscribe(sessionId, onWake) {
      const own = waiting.get(sessionId) ?? new Set()
      waiting.set(sessionId, own.add(onWake))
      return {
        [Symbol.dispose]() {
          own.delete(onWake)
          if (own.size === 0 && waiting.get(sessionId) === own) waiting.delete(sessionId)
        },
      }
    },
    wake(readers) {
      for (const reader of readers) for (const onWake of waiting.get(reader) ?? []) onWake()
    },
  }
}
