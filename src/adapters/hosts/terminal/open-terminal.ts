import { mkdir, stat } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { TerminalKind, TerminalRequest, TerminalStarted } from '../../../ports/terminal-host.ts'
import { forbidOpen } from './forbid-open.ts'
import { terminalEnvironment } from './terminal-environment.ts'
import type { TerminalFiles } from './terminal-files.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { readRecord, startedOf } from './terminal-record.ts'
import { waitUntil } from './wait-until.ts'

/** Makes a terminal and runs the script on it; the answer is a problem in words, or nothing. */
export type StartTerminal = (
  files: TerminalFiles,
  request: TerminalRequest,
  environment: Readonly<Record<string, string>>,
) => Promise<string | undefined>

type Needs = TerminalNeeds & { readonly kind: TerminalKind; readonly start: StartTerminal }

const CLAIM_TIMEOUT_MS = 10_000
const LOOK_INTERVAL_MS = 20

/** Opens a terminal unless it was opened: whoever makes its pid file runs the program, all others find it. */
export async function openTerminal(
  needs: Needs,
  files: TerminalFiles,
  request: TerminalRequest,
): Promise<Result<TerminalStarted, HostFailure>> {
  const earlier = await findStarted(files)
  if (earlier !== undefined) return earlier
  const program = await findRunnable(needs, request)
  if (!program.ok) return program
  const holding = await needs.hold(request)
  if (!holding.ok) return holding

  await mkdir(files.directory, { recursive: true, mode: 0o700 })
  const environment = terminalEnvironment(files, request, holding.value, needs.kind, program.value)
  const problem = await needs.start(files, request, environment)
  // Somebody who opened the same terminal at the same moment makes this start fail and succeeds himself.
  const timeoutMs = problem === undefined ? CLAIM_TIMEOUT_MS : LOOK_INTERVAL_MS
  const wait = { intervalMs: LOOK_INTERVAL_MS, look: () => findStarted(files) }
  const started = await waitUntil({ ...wait, timeoutMs })
  if (started !== undefined) return started

  // One that is merely slow must not run the program after we said that it failed.
  await forbidOpen(files)
  return (await findStarted(files)) ?? unstartable(problem ?? 'the terminal did not come up in time')
}

async function findStarted(files: TerminalFiles): Promise<Result<TerminalStarted, HostFailure> | undefined> {
  const record = await readRecord(files)
  if (record.type === 'claimed') return success(startedOf(record))
  return record.type === 'forbidden' ? unstartable('closed before it was opened') : undefined
}

async function findRunnable(needs: Needs, request: TerminalRequest): Promise<Result<string, HostFailure>> {
  const [name] = request.command
  const stats = await stat(request.cwd).catch(() => undefined)
  if (stats?.isDirectory() !== true) return failure({ type: 'directory-missing', directory: request.cwd })
  const program = await needs.findProgram(name, request.cwd, request.environment['PATH'])
  return program === undefined ? failure({ type: 'program-missing', program: name }) : success(program)
}

function unstartable(problem: string) {
  return failure<HostFailure>({ type: 'host-unstartable', problem })
}
