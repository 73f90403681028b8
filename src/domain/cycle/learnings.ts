import { byteLength } from '../byte-length.ts'
import { DOCUMENT_LIMITS } from '../limits/document-limits.ts'

const HEADING = '## Learnings'

/** Learnings of a cycle, each once and on one line; the newest are kept. */
export function distinctLearnings(text: string | undefined): readonly string[] {
  const lines = (text ?? '').split('\n').map(oneLine)
  return [...new Set(lines.filter((line) => line !== ''))].slice(-DOCUMENT_LIMITS.learnings)
}

/**
 * Appends learnings to the goal's last learnings section, or to a new one. Nothing else changes. The section keeps
 * only the newest.
 */
export function goalWithLearnings(goal: string, learnings: readonly string[]): string {
  const { before, listed, after } = divided(goal)
  const all = distinctLearnings([...listed, ...learnings].join('\n'))
  if (all.length === 0) return goal
  const section = [HEADING, '', ...all.map((line) => `- ${line}`)].join('\n')
  return `${[before.trimEnd(), section, after.trim()].filter((part) => part !== '').join('\n\n')}\n`
}

type Divided = { readonly before: string; readonly listed: readonly string[]; readonly after: string }

/** The section that Muster writes ends at the first line that is not a list item. */
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

/** One line that can't start a Markdown block. */
function oneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-*+>#]+\s+)+/, '')
  return line.length > DOCUMENT_LIMITS.learningCharacters
    ? `${line.slice(0, DOCUMENT_LIMITS.learningCharacters - 1)}…`
    : line
}

/** Adds new learnings to the known ones, one per line; drops whatever exceeds the limit. */
export function appendedLearnings(known: string | undefined, added: readonly string[]): string | undefined {
  const lines = known === undefined || known === '' ? [] : known.split('\n')
  let size = byteLength(lines.join('\n'))
  for (const line of added) {
    const bytes = byteLength(line) + 1
    if (lines.includes(line) || size + bytes > DOCUMENT_LIMITS.cycleLearningBytes) continue
    lines.push(line)
    size += bytes
  }
  return lines.length === 0 ? undefined : lines.join('\n')
}
