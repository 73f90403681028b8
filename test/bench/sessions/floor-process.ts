import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LoopLag } from '../../../src/daemon/loop-lag.ts'

/** An idle Node process that runs during a measurement. `end` returns the lag of its event loop. */
export type IdleProcess = AsyncDisposable & { end(): Promise<LoopLag> }

export function startIdleProcess(): IdleProcess {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'idle-loop.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const said = text(child.stdout)
  return {
    async end() {
      child.stdin.end()
      return JSON.parse(await said) as LoopLag
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
