import type { WireEventOf } from '../../../contract/event.ts'
import { firstIssueOf } from '../../../domain/review/describe-issues.ts'
import { joined } from '../text/reason-words.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import type { Words } from './words.ts'

/** "review, round 2", "try, 3 at once". */
export function stageEnteredWords({ data }: WireEventOf<'stage_entered'>): Words {
  const round = data.round === 1 ? '' : `, round ${data.round}`
  const branches = data.branches === 1 ? '' : `, ${data.branches} at once`
  return { tone: 'plain', text: `${safeLine(data.stage)}${round}${branches}` }
}

const GOOD: readonly string[] = ['done', 'pass', 'APPROVED', 'allowed', 'complete']

export function stageEndedWords({ data }: WireEventOf<'stage_ended'>): Words {
  const branch = data.branch === 0 ? '' : ` ${data.branch}`
  const text = `${safeLine(data.stage)}${branch}: ${safeLine(data.outcome)}`
  return {
    tone: GOOD.includes(data.outcome) ? 'good' : 'warn',
    text: joined(text, safeHead(data.problem ?? firstIssueOf({ summary: '', issues: data.issues ?? [] }))),
  }
}
