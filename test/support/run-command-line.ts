import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { bundledProgram } from './bundled-program.ts'

const SOURCE = resolve(import.meta.dirname, '../../src/bin.ts')

export type CommandLineRun = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs `muster ...` with pipes instead of a terminal. */
export async function runCommandLine(
  words: readonly string[],
  options: {
    readonly home: string
    readonly cwd?: string
    readonly environment?: Readonly<Record<string, string>>
    readonly input?: string
    /** Runs `src/bin.ts` as it is, as people do in a checkout. */
    readonly isFromSource?: boolean
  },
): Promise<CommandLineRun> {
  const program = options.isFromSource === true ? SOURCE : await bundledProgram()
  const child = spawn(process.execPath, [program, ...words], {
    cwd: options.cwd ?? '/',
    env: { ...process.env, MUSTER_TRUST: 'all', MUSTER_HOME: options.home, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end(options.input ?? '')
  await once(child, 'close')
  return { code: child.exitCode ?? -1, stdout, stderr }
}
