import type { Result } from '../../../domain/result.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { TerminalRequest } from '../../../ports/terminal-host.ts'

/** One process for ever: pids are used again, a pid with its start time is not. */
export type ProcessIdentity = { readonly pid: number; readonly startTime: string }

/** What the kernel knows of processes. Contract: reads only; a process that is gone is an answer, no error. */
export interface Processes {
  isAlive(identity: ProcessIdentity): Promise<boolean>
  childrenOf(pid: number): Promise<readonly number[]>
  isFromEarlierBoot(identity: ProcessIdentity): boolean
}

/** The command put before a program so that all it starts ends with it. It must stay on its terminal. */
export type TerminalHolding = { readonly containment: Containment; readonly command: readonly string[] }

export type HoldingRequest = Pick<TerminalRequest, 'sandbox' | 'cwd' | 'environment'>

/** What terminals share with sessions that have none; given, because one adapter does not know another. */
export type TerminalNeeds = {
  readonly processes: Processes
  hold(request: HoldingRequest): Promise<Result<TerminalHolding, HostFailure>>
  /** The file a program's name means in this directory and with this PATH. */
  findProgram(name: string, cwd: string, searchPath: string | undefined): Promise<string | undefined>
}
