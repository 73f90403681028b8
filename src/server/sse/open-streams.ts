/** The open streams, so a server that stops can end them. */
export type OpenStreams = {
  /** Calls `stop` once if the server stops before the stream is disposed; at once if it has already stopped. */
  add(stop: () => void): Disposable
  stopAll(): void
}

export function createOpenStreams(): OpenStreams {
  const stops = new Set<() => void>()
  let isStopped = false
  return {
    add(stop) {
      stops.add(stop)
      if (isStopped) stop()
      return { [Symbol.dispose]: () => stops.delete(stop) }
    },
    stopAll() {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}
