import { mkdir } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { TerminalKind, TerminalRequest, TerminalStarted } from '../../../ports/terminal-host.ts'
import { findRunnable } from '../shared/find-runnable.ts'
import { forbidStart } from '../shared/process-record.ts'
import { terminalEnvironment } from './terminal-environment.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { readRecord, startedOf, type TerminalFiles } from './terminal-record.ts'
import { waitUntil } from './wait-until.ts'

/** Makes a terminal and runs the script on it. Returns a problem, or undefined. */
export type StartTerminal = (
  files: TerminalFiles,
  request: TerminalRequest,
  environment: Readonly<Record<string, string>>,
) => Promise<string | undefined>

type Needs = TerminalNeeds & {
  readonly kind: TerminalKind
  readonly lookMs: number
  readonly start: StartTerminal
}

const CLAIM_TIMEOUT_MS = 10_000
const LOOK_INTERVAL_MS = 20

/** Opens a terminal unless it is already open. Only the script that creates the PID file runs the program. */
export async function openTerminal(
  needs: Needs,
  files: TerminalFiles,
  request: TerminalRequest,
): Promise<Result<TerminalStarted, HostFailure>> {
  const earlier = await findStarted(files)
  if (earlier !== undefined) return earlier
  const program = await findRunnable(request)
  if (!program.ok) return program
  const method = await needs.contain(request)
  if (!method.ok) return method

  await mkdir(files.directory, { recursive: true, mode: 0o700 })
  const environment = terminalEnvironment(files, request, {
    method: method.value,
    kind: needs.kind,
    program: program.value,
    lookMs: needs.lookMs,
  })
  const problem = await needs.start(files, request, environment)
  // If another call opens the same terminal at the same moment, this start fails and the other one succeeds.
  const timeoutMs = problem === undefined ? CLAIM_TIMEOUT_MS : LOOK_INTERVAL_MS
  const wait = { intervalMs: LOOK_INTERVAL_MS, inspect: () => findStarted(files) }
  const started = await waitUntil({ ...wait, timeoutMs })
  if (started !== undefined) return started

  // A slow terminal must not run the program after this call has reported a failure.
  await forbidStart(files)
  return (await findStarted(files)) ?? unstartable(problem ?? 'the terminal did not start in time')
}

async function findStarted(files: TerminalFiles): Promise<Result<TerminalStarted, HostFailure> | undefined> {
  const record = await readRecord(files)
  if (record.type === 'claimed') return success(startedOf(record))
  return record.type === 'forbidden' ? unstartable('closed before it was opened') : undefined
}

function unstartable(problem: string) {
  return failure<HostFailure>({ type: 'host-unstartable', problem })
}
