import { PassThrough } from 'node:stream'
import { success } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'

export type TestSurroundings = Surroundings & {
  stdoutText(): string
  stderrText(): string
  /** Calls the listeners of a signal; false if there are none. */
  send(signal: NodeJS.Signals): boolean
}

/** Surroundings that record the output, and whose signals the test sends. */
export function testSurroundings(overrides: Partial<Surroundings> = {}): TestSurroundings {
  const stdout = keepingStream()
  const stderr = keepingStream()
  const listeners = new Map<NodeJS.Signals, Set<() => void>>()
  return {
    environment: { PATH: process.env['PATH'] },
    cwd: process.cwd(),
    stdin: Object.assign(new PassThrough(), { isTTY: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    isRoot: process.getuid?.() === 0,
    userDirectory: '/nonexistent',
    userName: 'ada',
    temporaryDirectory: '/tmp',
    version: '0.0.0-test',
    nodePath: process.execPath,
    program: [process.execPath, '--version'],
    serve: async () => 0,
    restore: async () => success({ home: '/home', madeAt: '2026-01-02T03:04:05.000Z', hubs: 0 }),
    stopLeftovers: async () => success({ hasStoppedDatabase: false, runningSessions: 0 }),
    now: () => new Date(),
    onSignal: (signal, listener) => {
      const known = listeners.get(signal) ?? new Set()
      listeners.set(signal, known.add(listener))
      return { [Symbol.dispose]: () => known.delete(listener) }
    },
    stdoutText: stdout.text,
    stderrText: stderr.text,
    send: (signal) => {
      const called = [...(listeners.get(signal) ?? [])]
      for (const listener of called) listener()
      return called.length > 0
    },
    ...overrides,
  }
}

function keepingStream() {
  const stream = new PassThrough()
  const chunks: string[] = []
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return { stream, text: () => chunks.join('') }
}
