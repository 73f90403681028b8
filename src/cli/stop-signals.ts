import type { Surroundings } from './surroundings.ts'

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[]

/** Aborts at the first of the given signals. Closing the terminal sends SIGHUP. */
export function stopSignals(
  needs: Pick<Surroundings, 'onSignal'>,
  signals: readonly NodeJS.Signals[] = STOPS,
): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController()
  const listening = signals.map((signal) => needs.onSignal(signal, () => stop.abort()))
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const listener of listening) listener[Symbol.dispose]()
    },
  }
}
