import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late the event loop ran its timers, in milliseconds. */
export type LoopLag = { readonly p50: number; readonly p99: number; readonly max: number }

const RESOLUTION_MS = 10
const NANOSECONDS = 1e6

/**
 * Measures from now on; each call returns the lag since the call before. It wakes the process a hundred times a second,
 * so a daemon measures only on request.
 */
export function measureLoopLag(): () => LoopLag {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // The histogram records the time between two ticks; the lag is what exceeds the resolution.
  const lag = (nanoseconds: number) =>
    Math.round(Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS) * 100) / 100
  return () => {
    const measured = {
      p50: lag(histogram.percentile(50)),
      p99: lag(histogram.percentile(99)),
      max: histogram.count === 0 ? 0 : lag(histogram.max),
    }
    histogram.reset()
    return measured
  }
}
