import { reasonLine } from '../task/reason-line.ts'
import type { ReviewIssue, Verdict } from './verdict.ts'

/** A reviewer's issues for whoever revises the work: one paragraph per issue. */
export function describeIssues({ summary, issues }: Pick<Verdict, 'summary' | 'issues'>): string {
  const found = issues.map((issue, index) => `${index + 1}. ${describeIssue(issue)}`)
  return [...(summary === '' ? [] : [summary]), ...found].join('\n')
}

/** The most telling line of a verdict. */
export function firstIssueOf({ summary, issues }: Pick<Verdict, 'summary' | 'issues'>): string {
  const first = issues[0]
  if (first === undefined) return reasonLine(summary)
  return reasonLine(first.location === '' ? first.issue : `${first.location}: ${first.issue}`)
}

function describeIssue({ severity, location, issue, suggestion }: ReviewIssue): string {
  const where = [severity === '' ? '' : `[${severity}]`, location === '' ? '' : `${location}:`]
  const text = [...where, issue].filter((part) => part !== '').join(' ')
  return suggestion === '' ? text : `${text}\n   Suggestion: ${suggestion}`
}
