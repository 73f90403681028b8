/** The process that `createSpawner` runs. It starts processes on request and reports their output and end. */
import type { SpawnerOrder, SpawnerReport } from './spawner.ts'
import { type StartedProcess, startProcess } from './start-process.ts'

const started = new Map<number, StartedProcess>()
const inForeground = new Set<StartedProcess>()

function report(message: SpawnerReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
  })
}

function start(id: number, { request }: Extract<SpawnerOrder, { type: 'start' }>): void {
  const listener = {
    onStdout: (chunk: Buffer) => report({ id, type: 'stdout', chunk }),
    onStderr: (chunk: Buffer) => report({ id, type: 'stderr', chunk }),
    onEnd(end: Extract<SpawnerReport, { type: 'end' }>['end']) {
      started.delete(id)
      inForeground.delete(child)
      void report({ id, type: 'end', end })
    },
  }
  const child = startProcess(request, listener)
  started.set(id, child)
  if (!request.isBackground) inForeground.add(child)
}

process.on('message', (order: SpawnerOrder) => {
  const { id } = order
  if (order.type === 'start') start(id, order)
  else if (order.type === 'write') started.get(id)?.write(order.bytes)
  else if (order.type === 'end-input') started.get(id)?.endInput()
  else started.get(id)?.[order.type]()
})
process.on('disconnect', () => {
  // No one waits for their answers any more, and one of them may wait for something forever.
  for (const child of inForeground) child.terminate()
  process.exit()
})
