import type { WireAuditCheck, WireAuditRow } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { auditBreakWords, auditWords } from '../render/text/audit-words.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type AuditTailFlags = { readonly lines?: number }

const DEFAULT_LINES = 20

/** Checks every row of the audit log. Fails if something was changed or removed. */
export async function auditVerifyCommand(needs: CommandNeeds): Promise<Outcome> {
  return withDaemon(needs, (client) =>
    withAnswer(client.verifyAudit({ signal: needs.output.closed }), (check) => showCheck(needs, check)),
  )
}

/** Records that the person has seen what is wrong, so that the warning ends. */
export async function auditAcceptCommand(needs: CommandNeeds): Promise<Outcome> {
  return withDaemon(needs, (client) =>
    withAnswer(client.acceptAudit({ signal: needs.output.closed }), (check) =>
      printResult(needs, check, [
        'accepted; from here on, the audit log is checked against its current state',
        `the evidence stays: see audit-head.broken-* in ${safeLine(needs.home)}`,
      ]),
    ),
  )
}

/** Prints the newest rows of the audit log. */
export async function auditTailCommand(needs: CommandNeeds, flags: AuditTailFlags): Promise<Outcome> {
  const { lines: limit = DEFAULT_LINES } = flags
  return withDaemon(needs, (client) =>
    withAnswer(client.listAudit({ limit }), (page) => printResult(needs, page, page.items.map(rowLine))),
  )
}

function showCheck({ output }: CommandNeeds, check: WireAuditCheck): Outcome {
  output.value({ success: check.status !== 'broken', data: check })
  output.printProse(auditWords(check))
  if (check.status !== 'broken') return success(EXIT.done)
  for (const found of check.breaks) output.printProse(`  ${auditBreakWords(found)}`)
  output.printProse(
    `  try: find out why (a database that was restored to an earlier state, or someone who changed it); then: ${output.hint('muster audit accept')}`,
  )
  return success(EXIT.failed)
}

function rowLine({ seq, at, actor, action, subject, detail }: WireAuditRow): string {
  const facts = Object.entries(detail).map(([name, value]) => `${name}=${String(value)}`)
  return safeLine([String(seq).padStart(6), at, actor.padEnd(6), action, subject, ...facts].join('  '))
}
