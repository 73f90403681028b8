import { DOCUMENT_LIMITS } from '../limits/document-limits.ts'

const HEADING = '## Learnings'

/** Learnings of a cycle, each in one line and once; the newest are kept. */
export function distinctLearnings(text: string | undefined): readonly string[] {
  const lines = (text ?? '').split('\n').map(oneLine)
  return [...new Set(lines.filter((line) => line !== ''))].slice(-DOCUMENT_LIMITS.learnings)
}

/**
 * The goal with these appended under its last heading for them, or under one of its own. Nothing else of it changes;
 * of all that is listed there the newest are kept.
 */
export function goalWithLearnings(goal: string, learnings: readonly string[]): string {
  const { before, listed, after } = divided(goal)
  const all = distinctLearnings([...listed, ...learnings].join('\n'))
  if (all.length === 0) return goal
  const section = [HEADING, '', ...all.map((line) => `- ${line}`)].join('\n')
  return `${[before.trimEnd(), section, after.trim()].filter((part) => part !== '').join('\n\n')}\n`
}

type Divided = { readonly before: string; readonly listed: readonly string[]; readonly after: string }

/** The section that Muster writes ends at the first line that is not an item of its list. */
function divided(goal: string): Divided {
  const lines = goal.split('\n')
  const start = lines.findLastIndex((line) => line.trim() === HEADING)
  if (start === -1) return { before: goal, listed: [], after: '' }
  const length = lines.slice(start + 1).findIndex((line) => line.trim() !== '' && !line.startsWith('- '))
  const end = length === -1 ? lines.length : start + 1 + length
  const items = lines.slice(start + 1, end).filter((line) => line.startsWith('- '))
  return {
    before: lines.slice(0, start).join('\n'),
    listed: items.map((line) => line.slice(2)),
    after: lines.slice(end).join('\n'),
  }
}

/** One line that begins nothing of its own in Markdown. */
function oneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-*+>#]+\s+)+/, '')
  return line.length > DOCUMENT_LIMITS.learningCharacters
    ? `${line.slice(0, DOCUMENT_LIMITS.learningCharacters - 1)}…`
    : line
}
