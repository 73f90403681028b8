import { PassThrough } from 'node:stream'
import type { Surroundings } from '../surroundings.ts'

export type TestSurroundings = Surroundings & {
  stdoutText(): string
  stderrText(): string
  /** Sends a signal to whoever listens; false when nobody does. */
  send(signal: NodeJS.Signals): boolean
}

/** A process to run commands in, whose streams are kept and whose signals the test sends. */
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
    now: () => new Date(),
    onSignal: (signal, listener) => {
      const known = listeners.get(signal) ?? new Set()
      listeners.set(signal, known.add(listener))
      return { [Symbol.dispose]: () => known.delete(listener) }
    },
    stdoutText: stdout.text,
    stderrText: stderr.text,
    send: (signal) => {
      const heard = [...(listeners.get(signal) ?? [])]
      for (const listener of heard) listener()
      return heard.length > 0
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
