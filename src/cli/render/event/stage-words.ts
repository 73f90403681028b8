import type { WireEventOf } from '../../../contract/event.ts'
import { isGood } from '../../../domain/playbook/outcome.ts'
import { firstIssueOf } from '../../../domain/review/describe-issues.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import { joined } from '../text/reason-words.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import type { Words } from './words.ts'

/** "review (round 2)", "try, 3 at once". */
export function stageEnteredWords({ data }: WireEventOf<'stage_entered'>): Words {
  const branches = data.branches === 1 ? '' : `, ${data.branches} at once`
  return { tone: 'plain', text: `${safeLine(visitLabel({ ...data, branch: 0 }))}${branches}` }
}

export function stageEndedWords({ data }: WireEventOf<'stage_ended'>): Words {
  const text = safeLine(`${visitLabel(data)}: ${data.outcome}`)
  return {
    tone: isGood(data.outcome) ? 'good' : 'warn',
    text: joined(text, safeHead(data.problem ?? firstIssueOf({ summary: '', issues: data.issues ?? [] }))),
  }
}
