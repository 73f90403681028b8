import type { Result } from '../../../domain/result.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { TerminalRequest } from '../../../ports/terminal-host.ts'
import type { ProcessTable } from '../shared/process-table.ts'

/** The command in front of a program that contains everything it starts. The command must stay on its terminal. */
export type TerminalContainment = { readonly containment: Containment; readonly command: readonly string[] }

/** What terminals share with other sessions. The caller passes it in, because one adapter can't import another. */
export type TerminalNeeds = {
  readonly processes: ProcessTable
  contain(
    request: Pick<TerminalRequest, 'sandbox' | 'cwd' | 'environment'>,
  ): Promise<Result<TerminalContainment, HostFailure>>
}
