import { type ExecFileException, execFile } from 'node:child_process'
import { failure, type Result, success } from '../../domain/result.ts'

export type ProgramCall = {
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly input?: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type ProgramRun = { readonly code: number; readonly stdout: string; readonly stderr: string }

const MAX_OUTPUT = 4 * 1024 * 1024

/**
 * Runs one of the person's programs and waits for it. Any exit code is a success; the failure explains why there is no
 * exit code.
 */
export function runProgram(call: ProgramCall): Promise<Result<ProgramRun, string>> {
  return new Promise((resolve) => {
    const child = execFile(
      call.program,
      [...call.parameters],
      {
        timeout: call.timeoutMs,
        maxBuffer: MAX_OUTPUT,
        env: call.environment,
        ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(success({ code: 0, stdout, stderr }))
        if (typeof error.code === 'number') return resolve(success({ code: error.code, stdout, stderr }))
        resolve(failure(problemOf(call, error)))
      },
    )
    // A program that doesn't read its input has its own reason, which its exit code reports.
    child.stdin?.on('error', () => {})
    child.stdin?.end(call.input ?? '')
  })
}

function problemOf({ program, timeoutMs, signal }: ProgramCall, error: ExecFileException): string {
  if (error.code === 'ENOENT') return `${program} is not installed`
  if (signal?.aborted === true) return `${program} was stopped`
  if (error.killed === true && error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `${program} did not finish within ${timeoutMs / 1000} seconds`
  return `${program} failed: ${error.message.split('\n')[0]}`
}
