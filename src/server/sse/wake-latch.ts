/** Remembers a wake until someone waits for it; many wakes count as one. */
export type WakeLatch = {
  wake(): void
  /** Resolves at once if there was a wake since the last wait, otherwise at the next wake or after the timeout. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createWakeLatch(): WakeLatch {
  let isSet = false
  let release = () => {}
  return {
    wake() {
      isSet = true
      release()
    },
    async wait(ms, signal) {
      if (!isSet && !signal.aborted) {
        await new Promise<void>((resolve) => {
          release = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', release)
            resolve()
          }
          const timer = setTimeout(release, ms)
          signal.addEventListener('abort', release)
        })
      }
      isSet = false
    },
  }
}
